import { type Api, brokenOff } from './client.ts';
import { nodeAddress } from './data-nodes.ts';

/** How a source is taken in: in the place of what is there, or child by child beside it. */
export type ImportMode = 'replace' | 'merge';

/** Where an import stands. */
export interface ImportState {
  /** Bytes of the source that were taken in. */
  readonly offset: number;
  readonly status: 'open' | 'done' | 'failed';
  readonly error?: string | { readonly message?: string };
}

/** Bytes that are sent at a time. */
const CHUNK_BYTES = 2 ** 20;

/** A node and all below it in export form; the browser keeps it outside of the memory of the page when it is large. */
export async function exportNode(api: Api, database: string, path: string): Promise<Blob> {
  const response = await api.send(nodeAddress(path), { query: { ns: database, format: 'export' } });
  return await response.blob().catch((cause: unknown) => {
    throw brokenOff(cause);
  });
}

/** Takes a file in, piece by piece, telling how far that is. Ends early, and gives up the import, when it is aborted. */
export async function* importFile(
  api: Api,
  database: string,
  request: { readonly path: string; readonly mode: ImportMode; readonly file: Blob },
  signal: AbortSignal,
): AsyncGenerator<ImportState, void, undefined> {
  const { path, mode, file } = request;
  const address = `/api/databases/${encodeURIComponent(database)}/imports/${crypto.randomUUID()}`;
  let state = await api.json<ImportState>(address, { method: 'PUT', body: { path, mode }, signal });
  try {
    do {
      const end = Math.min(state.offset + CHUNK_BYTES, file.size);
      state = await api.json<ImportState>(address, {
        method: 'PATCH',
        query: { offset: state.offset, final: end === file.size },
        headers: { 'content-type': 'application/octet-stream' },
        text: file.slice(state.offset, end),
        signal,
      });
      yield state;
    } while (state.status === 'open' && state.offset < file.size);
    if (state.status === 'open')
      yield await api.json<ImportState>(`${address}/finish`, { method: 'POST', signal });
  } catch (error) {
    await api.send(address, { method: 'DELETE' }).catch(() => undefined);
    throw error;
  }
}
