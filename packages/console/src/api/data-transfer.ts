import { type Api, incompleteResponse } from './client.ts';
import { nodeAddress } from './data-nodes.ts';

/** How an import treats existing data: it replaces the node, or merges child by child. */
export type ImportMode = 'replace' | 'merge';

/** The progress of an import. */
export interface ImportState {
  /** Number of imported bytes of the source. */
  readonly offset: number;
  readonly status: 'open' | 'done' | 'failed';
  /** The ID of the change, for an undo; absent while nothing is written. */
  readonly change?: number;
  readonly error?: string | { readonly message?: string };
}

/** Number of bytes per request. */
const CHUNK_BYTES = 2 ** 20;

/** Downloads a node in export format as a `Blob`, which the browser can keep on disk if it is large. */
export async function exportNode(api: Api, database: string, path: string): Promise<Blob> {
  const response = await api.send(nodeAddress(path), { query: { ns: database, format: 'export' } });
  return await response.blob().catch((cause: unknown) => {
    throw incompleteResponse(cause);
  });
}

/**
 * Imports a file in chunks and yields the progress. After an abort or an error, it cancels the import on the server and
 * throws.
 */
export async function* importFile(
  api: Api,
  database: string,
  request: { readonly path: string; readonly mode: ImportMode; readonly file: Blob },
  signal: AbortSignal,
): AsyncGenerator<ImportState, void, undefined> {
  const { path, mode, file } = request;
  const address = `/api/databases/${encodeURIComponent(database)}/imports/${crypto.randomUUID()}`;
  let state = await api.json<ImportState>(address, {
    method: 'PUT',
    body: { path, mode, isUndoable: true },
    signal,
  });
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
