import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';

export type Priority = null | number | bigint | string;

/** What is known of a node without reading what is below it. */
export type NodeSummary =
  | {
      readonly kind: 'object';
      /** `null` when there are too many to be counted along. */
      readonly childCount: number | null;
      readonly priority: Priority;
    }
  | {
      readonly kind: 'string' | 'number' | 'boolean';
      readonly value: string | number | bigint | boolean;
      /** Is there more of the string than this? */
      readonly isCut?: boolean;
      readonly priority: Priority;
    };

/** A child on a page. */
export type ChildRow = NodeSummary & {
  readonly key: string;
  /** Of a small object: how its JSON text begins. */
  readonly preview?: string | null;
};

export interface ChildPage {
  /** `null` when there is no node. */
  readonly node: NodeSummary | null;
  readonly children: readonly ChildRow[];
  readonly previous: string | null;
  readonly next: string | null;
}

/** A page as it is after changes: `changed` are keys of children on it, before or after, that were touched. */
export interface LivePage extends ChildPage {
  readonly changed?: readonly string[];
}

/** Where a page of children is in key order. */
export type PagePlace =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'from' | 'after' | 'before'; readonly key: string };

export interface PageRequest {
  readonly path: string;
  readonly place: PagePlace;
  /** At most 500. */
  readonly limit: number;
}

const NOTHING: ChildPage = { node: null, children: [], previous: null, next: null };

/** Nothing was ever written to a database that does not exist, which is no failure here. */
export async function readChildPage(
  api: Api,
  database: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<ChildPage> {
  try {
    const response = await api.send(childrenAddress(database), { query: queryOf(request), signal });
    return parsePage(await response.text());
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return NOTHING;
    throw error;
  }
}

/** A page, and again after each change. Ends with the stream. */
export async function* followChildPage(
  api: Api,
  database: string,
  request: PageRequest,
  signal: AbortSignal,
): AsyncGenerator<LivePage, void, undefined> {
  const events = api.events(childrenAddress(database), { query: queryOf(request), signal });
  for await (const { event, data } of events) if (event === 'page') yield parsePage(data);
}

/** Counts children, telling how many there are so far. */
export async function* countChildren(
  api: Api,
  database: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly kind: 'progress' | 'done'; readonly count: number }, void, undefined> {
  yield* api.lines(`/api/databases/${encodeURIComponent(database)}/count`, { query: { path }, signal });
}

function childrenAddress(database: string): string {
  return `/api/databases/${encodeURIComponent(database)}/children`;
}

function queryOf({ path, place, limit }: PageRequest): Record<string, string | number | boolean | undefined> {
  switch (place.kind) {
    case 'first':
      return { path, limit };
    case 'last':
      return { path, limit, last: true };
    default:
      return { path, limit, [place.kind]: place.key };
  }
}

/** The server and the console are built together: the shape is that of docs/reference/api.md. */
function parsePage(text: string): LivePage {
  return parseJsonText(text) as LivePage;
}
