import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Api, ApiError, brokenOff } from './client.ts';
import type { NodeSummary } from './data.ts';

/** A node as its JSON text in export form, which has priorities and every digit of 64 bits. */
export interface NodeText {
  readonly text: string;
  /** Hash of the node; it is another when anything in it is. */
  readonly hash: string;
}

/** Hash of nothing. */
export const NO_NODE = 'null_etag';

/** Longest text that is shown and edited, in bytes. */
export const MAX_TEXT_BYTES = 2 ** 20;

/** What became of a write that takes effect only if the node is what whoever writes has seen. */
export type CheckedWrite =
  | { readonly kind: 'written'; readonly hash: string }
  /** Somebody else was faster: what they have written. */
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

/** Puts JSON text, which may be in export form, in the place of a node that has a hash. */
export async function writeNode(
  api: Api,
  database: string,
  path: string,
  { text, hash }: NodeText,
): Promise<CheckedWrite> {
  try {
    const response = await api.send(nodeAddress(path), {
      method: 'PUT',
      query: { ns: database },
      headers: { 'if-match': hash, 'x-firebase-etag': 'true', 'content-type': 'application/json' },
      text,
    });
    return { kind: 'written', hash: response.headers.get('etag') ?? NO_NODE };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    return { kind: 'stale', current: await readNode(api, database, path) };
  }
}

/** A node whatever its size, as it is: its text may be longer than memory allows. */
export async function removeNode(api: Api, database: string, path: string): Promise<void> {
  await api.send(nodeAddress(path), { method: 'DELETE', query: { ns: database, print: 'silent' } });
}

/** Measures the subtree at a path. */
export interface NodeSize {
  /** Values, and nodes that have a place of their own in the store. */
  readonly entries: number;
  /** Length of the JSON text in export form, in UTF-8. */
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
  throw brokenOff();
}

/** Length of a node's text in bytes; `null` when it is longer than `maxBytes`. */
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
  throw brokenOff();
}

function sizeLines(api: Api, database: string, path: string, signal: AbortSignal | undefined) {
  return api.lines<NodeSize & { readonly kind: 'progress' | 'done' }>(
    `/api/databases/${encodeURIComponent(database)}/size`,
    { query: { path }, signal },
  );
}

/** A node that must be as it was seen. */
export interface SeenNode {
  readonly path: string;
  readonly hash: string;
}

/** What is to stand at a place, as JSON text in export form. */
export interface NodeChange {
  readonly path: string;
  readonly text: string;
}

/** What became of changes that take effect only if every node is as it was seen. */
export type CheckedChanges =
  | { readonly kind: 'written' }
  /** Somebody else was faster: what is there, of all nodes that are not as they were seen. */
  | { readonly kind: 'stale'; readonly found: readonly SeenNode[] }
  /** Something would have been put below a value, which was to be kept. */
  | { readonly kind: 'below-value' };

/**
 * Makes changes at once, or none of them. Paths of changes must not lie in each other. Where values are not kept, what is put
 * below one takes its place.
 */
export async function writeChanges(
  api: Api,
  database: string,
  changes: readonly NodeChange[],
  seen: readonly SeenNode[],
  keepsValues: boolean,
): Promise<CheckedChanges> {
  const values = changes.map(({ path, text }) => `${JSON.stringify(path.slice(1))}:${text}`);
  const expected = Object.fromEntries(seen.map(({ path, hash }) => [path, hash]));
  try {
    await api.send(`/api/databases/${encodeURIComponent(database)}/changes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      text: `{"changes":{${values.join(',')}},"expected":${JSON.stringify(expected)},"keepsValues":${keepsValues}}`,
    });
    return { kind: 'written' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'write/below-value') return { kind: 'below-value' };
    if (error.status !== 412) throw error;
    const { stale } = error.details as { readonly stale: Readonly<Record<string, string>> };
    return { kind: 'stale', found: Object.entries(stale).map(([path, hash]) => ({ path, hash })) };
  }
}

/** Where REST has a node. */
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

/** What a search tells: what it finds, how far it is, and that it has come to its end. */
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

/** Looks for keys and values at and below a path. Rejects with an `ApiError`. */
export function searchNodes(
  api: Api,
  database: string,
  { path, text, part, isCaseSensitive, limit }: SearchRequest,
  signal: AbortSignal,
): AsyncGenerator<SearchLine, void, undefined> {
  const query = { path, text, in: part, case: isCaseSensitive ? 'sensitive' : 'insensitive', limit };
  const address = `/api/databases/${encodeURIComponent(database)}/search`;
  // Integers keep their digits.
  return api.lines(address, { query, signal }, parseJsonText);
}
