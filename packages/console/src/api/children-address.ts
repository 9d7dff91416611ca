/** Parameters of an address; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The part of an address from `?` on; empty where there are no parameters. */
export function encodeQuery(parameters: QueryParameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Where a page of children is in key order. */
export type PagePosition =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'from' | 'after' | 'before'; readonly key: string };

export interface PageRequest {
  readonly path: string;
  readonly place: PagePosition;
  /** At most 500. */
  readonly limit: number;
}

/** Where the server has a page of children. */
export function childrenAddress(database: string, { path, place: location, limit }: PageRequest): string {
  return `/api/databases/${encodeURIComponent(database)}/children${encodeQuery({ path, limit, ...parametersOf(location) })}`;
}

function parametersOf(location: PagePosition): Readonly<Record<string, string | boolean>> {
  switch (location.kind) {
    case 'first':
      return {};
    case 'last':
      return { last: true };
    default:
      return { [location.kind]: location.key };
  }
}

/** Children on a page as it is asked for. */
export const PAGE_SIZE = 200;
