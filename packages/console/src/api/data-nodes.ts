import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Api, ApiError, incompleteResponse } from './client.ts';
import type { NodeSummary } from './data.ts';

/** A node as JSON text in export format, with priorities and exact 64-bit integers. */
export interface NodeText {
  readonly text: string;
  /** Hash of the whole subtree; every change in the subtree changes it. */
  readonly hash: string;
}

/** Hash of an absent node. */
export const NO_NODE = 'null_etag';

/** Longest JSON text that the console shows and edits, in bytes. */
export const MAX_TEXT_BYTES = 2 ** 20;

/** The outcome of a conditional write. */
export type CheckedWrite =
  /** `change` is the ID for an undo, `null` if there is none. */
  | { readonly kind: 'written'; readonly hash: string; readonly change: number | null }
  /** Another client changed the node first; `current` is the current value. */
  | { readonly kind: 'stale'; readonly current: NodeText };

export async function readNode(
  api: Api,
  database: string,
  path: string,
  signal?: AbortSignal,
): Promise<NodeText> {
  const response = await api.send(nodeAddress(path), {
    query: { ns: database, format: 'export' },
    headers: { 'x-firebase-etag': 'true' },
    signal,
  });
  return { text: await response.text(), hash: response.headers.get('etag') ?? NO_NODE };
}

/** Replaces a node with JSON text, which may be in export format, if the node still has the given hash. */
export async function writeNode(
  api: Api,
  database: string,
  path: string,
  { text, hash }: NodeText,
): Promise<CheckedWrite> {
  const outcome = await writeChanges(api, database, [{ path, text }], [{ path, hash }], false, path);
  return outcome.kind === 'written'
    ? { kind: 'written', hash: outcome.hash ?? NO_NODE, change: outcome.change }
    : { kind: 'stale', current: await readNode(api, database, path) };
}

/** The size of a subtree. */
export interface NodeSize {
  /** Number of values and of nodes that the store keeps as separate entries. */
  readonly entries: number;
  /** Length of the JSON text in export format, in bytes of UTF-8. */
  readonly bytes: number;
}

/** Measures a node of any size. */
export async function measureEntries(
  api: Api,
  database: string,
  path: string,
  signal?: AbortSignal,
): Promise<NodeSize> {
  for await (const line of sizeLines(api, database, path, signal)) if (line.kind === 'done') return line;
  throw incompleteResponse();
}

/** Returns the length of a node's JSON text in bytes, or `null` if it exceeds `maxBytes`. */
export async function measureNode(
  api: Api,
  database: string,
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<number | null> {
  for await (const { kind, bytes } of sizeLines(api, database, path, signal)) {
    if (bytes > maxBytes) return null;
    if (kind === 'done') return bytes;
  }
  throw incompleteResponse();
}

function sizeLines(api: Api, database: string, path: string, signal: AbortSignal | undefined) {
  return api.lines<NodeSize & { readonly kind: 'progress' | 'done' }>(
    `/api/databases/${encodeURIComponent(database)}/size`,
    { query: { path }, signal },
  );
}

/** The hash of a node: the expected hash in a precondition, the current hash in a result. */
export interface SeenNode {
  readonly path: string;
  readonly hash: string;
}

/** The new value of a path, as JSON text in export format. */
export interface NodeChange {
  readonly path: string;
  readonly text: string;
}

/** The outcome of changes with preconditions. */
export type CheckedChanges =
  /** `change` is the ID for an undo, `null` if nothing was written. `hash` is set if it was requested. */
  | { readonly kind: 'written'; readonly change: number | null; readonly hash: string | undefined }
  /** Other clients changed nodes first; `found` has the current hash of each such node. */
  | { readonly kind: 'stale'; readonly found: readonly SeenNode[] }
  /** A change would overwrite a value at a parent path, and `keepsValues` is set. */
  | { readonly kind: 'below-value' };

/**
 * Makes all changes in one transaction, or none, so that they can be undone. No path may be at or above another. Without
 * `keepsValues`, a change below a value replaces that value. The outcome has the new hash of the node at `hashOf`.
 */
export async function writeChanges(
  api: Api,
  database: string,
  changes: readonly NodeChange[],
  seen: readonly SeenNode[],
  keepsValues: boolean,
  hashOf?: string,
): Promise<CheckedChanges> {
  const values = changes.map(({ path, text }) => `${JSON.stringify(path.slice(1))}:${text}`);
  const expected = Object.fromEntries(seen.map(({ path, hash }) => [path, hash]));
  try {
    const options = JSON.stringify({ expected, keepsValues, isUndoable: true, etagOf: hashOf });
    const { change, etag } = await api.json<{ readonly change?: number | null; readonly etag?: string }>(
      `/api/databases/${encodeURIComponent(database)}/changes`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        text: `{"changes":{${values.join(',')}},${options.slice(1)}`,
      },
    );
    return { kind: 'written', change: change ?? null, hash: etag };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'write/below-value') return { kind: 'below-value' };
    if (error.status !== 412) throw error;
    const { stale } = error.details as { readonly stale: Readonly<Record<string, string>> };
    return { kind: 'stale', found: Object.entries(stale).map(([path, hash]) => ({ path, hash })) };
  }
}

/** Returns the REST address of a node. */
export function nodeAddress(path: string): string {
  const keys = path.split('/').filter((key) => key !== '');
  return `/${keys.map(encodeURIComponent).join('/')}.json`;
}

export type SearchPart = 'both' | 'keys' | 'values';

export interface SearchRequest {
  readonly path: string;
  readonly text: string;
  readonly part: SearchPart;
  readonly isCaseSensitive: boolean;
  /** 1 to 10,000. */
  readonly limit: number;
}

/** A line of the response to a search: a match, the progress, or the end. */
export type SearchLine =
  | {
      readonly kind: 'hit';
      readonly path: string;
      readonly matched: 'key' | 'value';
      readonly node: NodeSummary;
    }
  | { readonly kind: 'progress'; readonly entries: number; readonly bytes: number; readonly hits: number }
  | {
      readonly kind: 'done';
      readonly entries: number;
      readonly bytes: number;
      readonly hits: number;
      readonly isComplete: boolean;
    };

/** Yields the keys and values at and below a path that contain a text, and the progress. Rejects like `lines` of `Api`. */
export function searchNodes(
  api: Api,
  database: string,
  { path, text, part, isCaseSensitive, limit }: SearchRequest,
  signal: AbortSignal,
): AsyncGenerator<SearchLine, void, undefined> {
  const query = { path, text, in: part, case: isCaseSensitive ? 'sensitive' : 'insensitive', limit };
  const address = `/api/databases/${encodeURIComponent(database)}/search`;
  // `parseJsonText` keeps 64-bit integers exact.
  return api.lines(address, { query, signal }, parseJsonText);
}
