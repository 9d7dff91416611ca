import { RequestError } from '../error/request-error.ts';
import { type Key, parseKey } from './key.ts';

declare const brand: unique symbol;

/** A validated location: its keys from the root. The root is empty. At most `MAX_DEPTH` keys. */
export type Path = readonly Key[] & { readonly [brand]: 'Path' };

/** Most levels of a tree, counted from its root. */
export const MAX_DEPTH = 32;

export const ROOT = pathOf([]);

/** Where a write goes: a node, or the priority of a node (written as a last segment `.priority`). */
export interface WriteTarget {
  readonly path: Path;
  readonly isPriority: boolean;
}

/**
 * Reads `/a/b`, `a/b` or `a//b`, not percent-encoded. Refuses forbidden characters and more than 32 levels.
 */
export function parsePath(text: string): Path {
  return pathOf(parseSegments(splitPath(text)));
}

/** Reads the path of a write, whose last segment may be `.priority`. Refuses everything below `.info`. */
export function parseWritePath(text: string): WriteTarget {
  const segments = splitPath(text);
  const isPriority = segments.at(-1) === '.priority';
  if (isPriority) segments.pop();
  if (segments[0] === '.info') throw new RequestError('path/reserved');
  return { path: pathOf(parseSegments(segments)), isPriority };
}

/** The keys of a path given as separate segments, for example percent-decoded ones. */
export function parsePathSegments(segments: readonly string[]): Path {
  return pathOf(parseSegments(segments));
}

/** A path made of keys that are valid already. */
export function pathOf(keys: readonly Key[]): Path {
  return keys as Path;
}

/** `a` followed by `b`. */
export function joinPaths(a: Path, b: readonly Key[]): Path {
  if (b.length === 0) return a;
  return a.length === 0 ? pathOf(b) : pathOf([...a, ...b]);
}

/** Text without leading slash; the root is empty. This is the form of every push. */
export function formatPath(path: readonly Key[]): string {
  return path.join('/');
}

/** Is `ancestor` at or above `path`? */
export function isAtOrAbove(ancestor: readonly Key[], path: readonly Key[]): boolean {
  if (ancestor.length > path.length) return false;
  for (let i = 0; i < ancestor.length; i++) if (ancestor[i] !== path[i]) return false;
  return true;
}

function splitPath(text: string): string[] {
  return text.split('/').filter((segment) => segment !== '');
}

function parseSegments(segments: readonly string[]): Key[] {
  if (segments.length > MAX_DEPTH) throw new RequestError('path/too-deep');
  return segments.map(parsePathKey);
}

function parsePathKey(segment: string): Key {
  try {
    return parseKey(segment);
  } catch (cause) {
    if (cause instanceof RequestError && cause.code === 'key/invalid')
      throw new RequestError('path/invalid', undefined, { cause });
    throw cause;
  }
}
