import {
  childrenAddress,
  PAGE_SIZE,
  type PagePosition,
  WHOLE_PREVIEW,
} from '../../../api/children-address.ts';

/** The path of a node, such as `/rooms/lobby`; the root is `/`. Keys are not URL-encoded. */
export type NodePath = string;

export const ROOT_PATH: NodePath = '/';

export function joinPath(path: NodePath, key: string): NodePath {
  return path === ROOT_PATH ? `/${key}` : `${path}/${key}`;
}

/** Returns the keys of a path from the root down. Ignores extra slashes, because users type paths. */
export function keysOf(path: NodePath): readonly string[] {
  return path.split('/').filter((key) => key !== '');
}

export function pathOf(keys: readonly string[]): NodePath {
  return `/${keys.join('/')}`;
}

/** Returns the path of the parent; the root for the root. */
export function parentOf(path: NodePath): NodePath {
  return pathOf(keysOf(path).slice(0, -1));
}

/** Returns the last key of a path; empty for the root. */
export function lastKeyOf(path: NodePath): string {
  return keysOf(path).at(-1) ?? '';
}

/** Returns whether `path` equals `above` or is below it. */
export function isAtOrBelow(path: NodePath, above: NodePath): boolean {
  return above === ROOT_PATH || path === above || path.startsWith(`${above}/`);
}

/**
 * Parses typed or pasted text: a path, or the URL of a node as Firebase tools show it, such as
 * `https://demo.firebaseio.com/rooms/lobby.json?ns=demo`.
 */
export function parseTypedPath(text: string): NodePath {
  const trimmed = text.trim();
  if (!/^https?:\/\//.test(trimmed)) return pathOf(keysOf(trimmed));
  try {
    const { pathname } = new URL(trimmed);
    return pathOf(keysOf(pathname.replace(/\.json$/, '')).map(decodeURIComponent));
  } catch {
    return pathOf(keysOf(trimmed));
  }
}

/** Address parameters that select another view than the children of a node. */
const OTHER_VIEWS = ['q', 'order'];

/** Returns the API address of the first page of the tree or the table; `undefined` if the console shows another view. */
export function firstPageAddress(database: string, rest: string, search: string): string | undefined {
  const parameters = new URLSearchParams(search);
  if (OTHER_VIEWS.some((name) => parameters.has(name))) return undefined;
  const view = parameters.get('view');
  if (view !== null && view !== 'table') return undefined;
  return childrenAddress(database, {
    path: pathOf(keysOf(rest)),
    position: positionOf(parameters),
    limit: PAGE_SIZE,
    ...(view === 'table' ? { preview: WHOLE_PREVIEW } : {}),
  });
}

function positionOf(parameters: URLSearchParams): PagePosition {
  if (parameters.get('tail') === 'true') return { kind: 'last' };
  const from = parameters.get('from');
  return from === null ? { kind: 'first' } : { kind: 'from', key: from };
}
