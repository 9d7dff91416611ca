import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Api } from './api.ts';
import type { NodeSummary } from './data.ts';

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
