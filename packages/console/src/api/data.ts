import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { childrenAddress, type PageRequest } from './children-address.ts';
import { type Api, ApiError } from './client.ts';

export type Priority = null | number | bigint | string;

/** What is known of a node without reading what is below it. */
export type NodeSummary =
  | {
      readonly kind: 'object';
      /** `null` when there are too many to be counted along. */
      readonly childCount: number | null;
      readonly priority: Priority;
      /** May whoever is acted for not read it? Then nothing of it is told. */
      readonly isRefused?: boolean;
    }
  | {
      readonly kind: 'string' | 'number' | 'boolean';
      readonly value: string | number | bigint | boolean;
      /** Is there more of the string than this? */
      readonly isCut?: boolean;
      readonly priority: Priority;
      /** As with objects: its value is then an empty string, and not what is there. */
      readonly isRefused?: boolean;
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

const NOTHING: ChildPage = { node: null, children: [], previous: null, next: null };

/** A page that was asked for ahead, if it is there already: it can be drawn at once. */
export function takeKnownPage(api: Api, database: string, request: PageRequest): ChildPage | undefined {
  const text = api.takeKnown(childrenAddress(database, request));
  return text === undefined ? undefined : parsePage(text);
}

/** Nothing was ever written to a database that does not exist, which is no failure here. */
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
  const events = api.events(childrenAddress(database, request), { signal });
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

/** The server and the console are built together: the shape is that of docs/reference/api.md. */
function parsePage(text: string): LivePage {
  return parseJsonText(text) as LivePage;
}
