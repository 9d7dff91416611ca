import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Api } from './api.ts';
import type { NodeSummary } from './data.ts';
import { readLines } from './read-lines.ts';

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
export async function* searchNodes(
  api: Api,
  database: string,
  { path, text, part, isCaseSensitive, limit }: SearchRequest,
  signal: AbortSignal,
): AsyncGenerator<SearchLine, void, undefined> {
  const response = await api.send(`/api/databases/${encodeURIComponent(database)}/search`, {
    query: { path, text, in: part, case: isCaseSensitive ? 'sensitive' : 'insensitive', limit },
    signal,
  });
  // The shape is that of docs/reference/api.md; integers keep their digits.
  for await (const line of readLines(response)) yield parseJsonText(line) as SearchLine;
}
