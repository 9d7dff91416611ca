import { encodeQuery } from './encode-query.ts';

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

/** Where the server has a page of children. */
export function childrenAddress(database: string, { path, place, limit }: PageRequest): string {
  return `/api/databases/${encodeURIComponent(database)}/children${encodeQuery({ path, limit, ...parametersOf(place) })}`;
}

function parametersOf(place: PagePlace): Readonly<Record<string, string | boolean>> {
  switch (place.kind) {
    case 'first':
      return {};
    case 'last':
      return { last: true };
    default:
      return { [place.kind]: place.key };
  }
}
