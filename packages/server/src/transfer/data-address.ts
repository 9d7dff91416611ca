/** A place in a database of a server. */
export interface DataPlace {
  readonly database: string;
  /** `/` or `/a/b`, as people write it: segments are not encoded. */
  readonly path: string;
}

/** The address of a place, for a request with these parameters. */
export function dataAddress(
  { database, path }: DataPlace,
  parameters: Readonly<Record<string, string>>,
): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const query = new URLSearchParams({ ns: database, ...parameters });
  return `/${segments.map(encodeURIComponent).join('/')}.json?${query}`;
}
