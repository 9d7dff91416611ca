import { RequestError } from '../error/request-error.ts';
import { type Key, parseKey } from './key.ts';

declare const brand: unique symbol;

/** A validated path: its keys from the root. The root path is empty. A path has at most `MAX_DEPTH` keys. */
export type Path = readonly Key[] & { readonly [brand]: 'Path' };

/** Maximum number of levels of a tree, counted from its root. */
export const MAX_DEPTH = 32;

export const ROOT = pathOf([]);

/** The target of a write: a node, or the priority of a node (written as a last segment `.priority`). */
export interface WriteTarget {
  readonly path: Path;
  readonly isPriority: boolean;
}

/**
 * Parses `/a/b`, `a/b` or `a//b`, not percent-encoded. Throws `path/invalid` for forbidden characters, `path/too-deep`
 * for more than 32 keys, and `key/too-long`.
 */
export function parsePath(text: string): Path {
  return pathOf(parseSegments(splitPath(text)));
}

/**
 * Parses the path of a write, whose last segment may be `.priority`. Throws `path/reserved` for `.info` and all paths
 * below it, and the errors of `parsePath`.
 */
export function parseWritePath(text: string): WriteTarget {
  const segments = splitPath(text);
  const isPriority = segments.at(-1) === '.priority';
  if (isPriority) segments.pop();
  if (segments[0] === '.info') throw new RequestError('path/reserved');
  return { path: pathOf(parseSegments(segments)), isPriority };
}

/**
 * Validates the keys of a path given as separate segments, for example percent-decoded ones, and returns the path.
 * Throws the errors of `parsePath`.
 */
export function parsePathSegments(segments: readonly string[]): Path {
  return pathOf(parseSegments(segments));
}

/** Returns a path of keys that are already valid. */
export function pathOf(keys: readonly Key[]): Path {
  return keys as Path;
}

/** Returns `a` followed by `b`. */
export function joinPaths(a: Path, b: readonly Key[]): Path {
  if (b.length === 0) return a;
  return a.length === 0 ? pathOf(b) : pathOf([...a, ...b]);
}

/** Returns the text of a path without a leading slash, as in every push message. The root is the empty string. */
export function formatPath(path: readonly Key[]): string {
  return path.join('/');
}

/** Returns whether `ancestor` is at or above `path`. */
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
