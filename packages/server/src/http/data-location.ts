import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type Path, parsePathSegments, type WriteTarget } from '@hearth/core/tree/path.ts';

/** The place that a REST address names: a node or, with a last segment `.priority`, its priority. */
export type DataLocation = WriteTarget;

const SUFFIX = '.json';

/** Is this the address of data, as opposed to that of a page? */
export function isDataPathname(pathname: string): boolean {
  return pathname.endsWith(SUFFIX);
}

/**
 * Reads `/rooms/my%20room.json` or `/rooms/lobby/.priority.json`. Segments are decoded one by one, so that an
 * encoded slash is part of a key (and refused as such); empty ones do not count.
 */
export function parseDataLocation(pathname: string): DataLocation {
  const segments = pathname
    .slice(0, -SUFFIX.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  if (segments[0] === '.info')
    throw new Refusal(
      'path/reserved',
      'The path .info is for connected clients only: REST does not serve it.',
    );
  const isPriority = segments.at(-1) === '.priority';
  return { path: parsePathSegments(isPriority ? segments.slice(0, -1) : segments), isPriority };
}

/** The node of a location, for requests that mean nothing for a priority. */
export function nodeLocation({ path, isPriority }: DataLocation): Path {
  if (isPriority) throw new Refusal('path/invalid');
  return path;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new Refusal('path/invalid', 'The address is not valid percent-encoded UTF-8.', { cause });
  }
}
