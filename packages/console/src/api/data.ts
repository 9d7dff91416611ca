import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { childrenAddress, type PageRequest } from './children-address.ts';
import { type Api, ApiError } from './client.ts';

export type Priority = null | number | bigint | string;

/** A node without its subtree. */
export type NodeSummary =
  | {
      readonly kind: 'object';
      readonly childCount: number;
      /** Whether the server stopped counting, so that the node has more children than `childCount`. */
      readonly isCountPartial: boolean;
      readonly priority: Priority;
      /** Set if the impersonated user may not read the node; the other fields then have no meaning. */
      readonly isDenied?: boolean;
    }
  | {
      readonly kind: 'string' | 'number' | 'boolean';
      readonly value: string | number | bigint | boolean;
      /** Whether the string is truncated. */
      readonly isCut?: boolean;
      readonly priority: Priority;
      /** Set if the impersonated user may not read the node; `value` is then an empty string. */
      readonly isDenied?: boolean;
    };

/** A child of the node, as a page shows it. */
export type ChildRow = NodeSummary & {
  readonly key: string;
  /** The start of the JSON text of a small object; `null` for a large one. */
  readonly preview?: string | null;
};

export interface ChildPage {
  /** `null` if the node does not exist. */
  readonly node: NodeSummary | null;
  readonly children: readonly ChildRow[];
  /** The key to pass as `before` to get the previous page; `null` on the first page. */
  readonly previous: string | null;
  /** The key to pass as `after` to get the next page; `null` on the last page. */
  readonly next: string | null;
}

/**
 * A page of a stream. After a change, `changed` lists the keys of the changed children, including those no longer on the
 * page.
 */
export interface LivePage extends ChildPage {
  readonly changed?: readonly string[];
}

const EMPTY_PAGE: ChildPage = { node: null, children: [], previous: null, next: null };

/** Returns a prefetched page if it has arrived, so that the first render can show it. */
export function takePrefetchedPage(api: Api, database: string, request: PageRequest): ChildPage | undefined {
  const text = api.takePrefetched(childrenAddress(database, request));
  return text === undefined ? undefined : parsePage(text);
}

/** Reads a page. Returns an empty page if the database does not exist yet. Rejects with an `ApiError` otherwise. */
export async function readChildPage(
  api: Api,
  database: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<ChildPage> {
  try {
    const response = await api.send(childrenAddress(database, request), { signal });
    return parsePage(await response.text());
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return EMPTY_PAGE;
    throw error;
  }
}

/** Yields a page at the start and after each change, until the stream ends. */
export async function* followChildPage(
  api: Api,
  database: string,
  request: PageRequest,
  signal: AbortSignal,
): AsyncGenerator<LivePage, void, undefined> {
  const events = api.events(childrenAddress(database, request), { signal });
  for await (const { event, data } of events) if (event === 'page') yield parsePage(data);
}

/** Yields the number of children counted so far. The last item has the kind `done`, and counts all children. */
export async function* countChildren(
  api: Api,
  database: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly kind: 'progress' | 'done'; readonly count: number }, void, undefined> {
  yield* api.lines(`/api/databases/${encodeURIComponent(database)}/count`, { query: { path }, signal });
}

/** The number of children of a node, and the key of every `stride`-th child. */
export interface Outline {
  readonly count: number;
  /** The first key is that of the child with the index `stride`, counted from 0; the second has twice this index. */
  readonly stride: number;
  readonly keys: readonly string[];
}

type OutlineLine =
  | ({ readonly kind: 'done' } & Outline)
  | { readonly kind: 'progress'; readonly count: number };

/**
 * Returns the outline of a node, once the server has counted its children. `onCount` receives the number counted so far.
 */
export async function readOutline(
  api: Api,
  database: string,
  path: string,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<Outline> {
  const address = `/api/databases/${encodeURIComponent(database)}/outline`;
  const lines: AsyncIterable<OutlineLine> = api.lines(address, { query: { path }, signal });
  for await (const line of lines) {
    if (line.kind === 'done') return line;
    onCount(line.count);
  }
  throw new TypeError('The response has no last line.');
}

/** Parses a page without validation: the server and the console are built together; see docs/reference/api.md. */
function parsePage(text: string): LivePage {
  return parseJsonText(text) as LivePage;
}
