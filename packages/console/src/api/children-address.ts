/** Query parameters of an address; undefined ones are omitted. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the query string with its `?`; empty if there are no parameters. */
export function encodeQuery(parameters: QueryParameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The position of a page of children in key order. */
export type PagePosition =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'from' | 'after' | 'before'; readonly key: string };

export interface PageRequest {
  readonly path: string;
  readonly position: PagePosition;
  /** Number of children at the position that the page leaves out; 0 if absent. At most `MAX_SKIPPED`. */
  readonly skipped?: number;
  /** At most 500. */
  readonly limit: number;
  /** Maximum length of each preview, in UTF-16 code units; the server's default if absent. */
  readonly preview?: number;
}

/** The length with which every preview is complete. */
export const WHOLE_PREVIEW = 2_000;

/** Returns the address of a page of children. */
export function childrenAddress(
  database: string,
  { path, position, skipped, limit, preview }: PageRequest,
): string {
  const skip = skipped === 0 ? undefined : skipped;
  return `/api/databases/${encodeURIComponent(database)}/children${encodeQuery({ path, limit, preview, skip, ...parametersOf(position) })}`;
}

function parametersOf(position: PagePosition): Readonly<Record<string, string | boolean>> {
  switch (position.kind) {
    case 'first':
      return {};
    case 'last':
      return { last: true };
    default:
      return { [position.kind]: position.key };
  }
}

/** Maximum number of children that a page may leave out. */
export const MAX_SKIPPED = 6_400;

/** Number of children per requested page. */
export const PAGE_SIZE = 200;
