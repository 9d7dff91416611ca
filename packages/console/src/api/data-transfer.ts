import { type Api, incompleteResponse } from './client.ts';
import { nodeAddress } from './data-nodes.ts';

/**
 * How an import treats existing data. `merge` replaces each child that the file has, `deep-merge` merges objects at every
 * level, `replace` replaces the whole node.
 */
export const IMPORT_MODES = ['merge', 'deep-merge', 'replace'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** The progress of an import. */
export interface ImportState {
  /** Number of imported bytes of the source. */
  readonly offset: number;
  readonly status: 'open' | 'done' | 'failed';
  /** The ID of the change, for an undo; absent while nothing is written. */
  readonly change?: number;
  readonly error?: string | { readonly message?: string };
  /** Set for a complete comparison: the number of values by kind of difference. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Set for a complete comparison: the first differences of each kind. */
  readonly differences?: readonly ImportDifference[];
}

/** A value that an import would add, change or remove, or an object that it would add or remove as a whole. */
export interface ImportDifference {
  readonly kind: 'added' | 'changed' | 'removed';
  /** The path below the node, without a slash at its start. */
  readonly path: string;
  /** The start of the JSON text; `null` if there is no value, and empty if the server did not read the value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The changes that an import would make. */
export interface ImportPreview {
  readonly counts: Readonly<Record<ImportDifference['kind'], number>>;
  /** The first differences of each kind. */
  readonly differences: readonly ImportDifference[];
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

interface ImportRequest {
  readonly path: string;
  readonly mode: ImportMode;
  readonly file: Blob;
}

/**
 * Imports a file in chunks and yields the progress. After an abort or an error, cancels the import on the server and
 * throws.
 */
export async function* importFile(
  api: Api,
  database: string,
  { path, mode, file }: ImportRequest,
  signal: AbortSignal,
): AsyncGenerator<ImportState, void, undefined> {
  const address = newImportAddress(database);
  try {
    yield* sendFile(api, address, { path, mode, isUndoable: true }, file, signal);
  } catch (error) {
    await api.send(address, { method: 'DELETE' }).catch(() => undefined);
    throw error;
  }
}

/**
 * Compares a file with the data, and returns the changes that its import would make. Writes nothing. Throws the errors of
 * the import.
 */
export async function previewImport(
  api: Api,
  database: string,
  { path, mode, file }: ImportRequest,
  signal: AbortSignal,
): Promise<ImportPreview> {
  const address = newImportAddress(database);
  try {
    let last: ImportState | undefined;
    const request = { path, mode: 'compare', previewOf: mode };
    for await (const state of sendFile(api, address, request, file, signal)) last = state;
    const { added = 0, changed = 0, removed = 0 } = last?.counts ?? {};
    if (last?.status !== 'done') throw importError(last);
    return { counts: { added, changed, removed }, differences: last.differences ?? [] };
  } finally {
    await api.send(address, { method: 'DELETE' }).catch(() => undefined);
  }
}

/** Returns the error of an import that has failed. */
export function importError(state: ImportState | undefined): Error {
  const { error } = state ?? {};
  return new Error(typeof error === 'string' ? error : error?.message);
}

function newImportAddress(database: string): string {
  return `/api/databases/${encodeURIComponent(database)}/imports/${crypto.randomUUID()}`;
}

/** Begins an import, sends its file in chunks, and yields each state of it. */
async function* sendFile(
  api: Api,
  address: string,
  body: object,
  file: Blob,
  signal: AbortSignal,
): AsyncGenerator<ImportState, void, undefined> {
  let state = await api.json<ImportState>(address, { method: 'PUT', body, signal });
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
}
