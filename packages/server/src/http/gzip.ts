import { constants } from 'node:zlib';

/** Shorter bodies fit into a packet as they are. */
export const MIN_GZIP_BYTES = 1_400;

/** Fast: a network that is worth the compression at all gains most of it from the first level. */
export const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED };

/** Does a client take gzip, by what it says in `Accept-Encoding`? */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item): [string, number] => {
        const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((part) => part.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
