import { childrenAddress, PAGE_SIZE, type PagePosition } from '../../../api/children-address.ts';

/** Where a node is: its keys after slashes, such as `/rooms/lobby`; the root is `/`. Keys are as they are, not encoded. */
export type NodePath = string;

export const ROOT_PATH: NodePath = '/';

export function joinPath(path: NodePath, key: string): NodePath {
  return path === ROOT_PATH ? `/${key}` : `${path}/${key}`;
}

/** The keys from the root down. Slashes too many count nothing, as wherever paths are written by hand. */
export function keysOf(path: NodePath): readonly string[] {
  return path.split('/').filter((key) => key !== '');
}

export function pathOf(keys: readonly string[]): NodePath {
  return `/${keys.join('/')}`;
}

/** The node that a node is a child of; the root of the root. */
export function parentOf(path: NodePath): NodePath {
  return pathOf(keysOf(path).slice(0, -1));
}

/** The last key of a path; empty for the root. */
export function lastKeyOf(path: NodePath): string {
  return keysOf(path).at(-1) ?? '';
}

/** Is a node the other, or below it? */
export function isAtOrBelow(path: NodePath, above: NodePath): boolean {
  return above === ROOT_PATH || path === above || path.startsWith(`${above}/`);
}

/**
 * Reads what somebody typed or pasted: a path, or the address of a node as the official tools show it, such as
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

/** Parameters of an address that shows something else than a tree. */
const OTHER_VIEWS = ['view', 'q', 'order'];

/** Where the server has what a tree shows first; `undefined` where the address of the view asks for no tree. */
export function firstPageAddress(database: string, rest: string, search: string): string | undefined {
  const parameters = new URLSearchParams(search);
  if (OTHER_VIEWS.some((name) => parameters.has(name))) return undefined;
  return childrenAddress(database, {
    path: pathOf(keysOf(rest)),
    place: locationOf(parameters),
    limit: PAGE_SIZE,
  });
}

function locationOf(parameters: URLSearchParams): PagePosition {
  if (parameters.get('tail') === 'true') return { kind: 'last' };
  const from = parameters.get('from');
  return from === null ? { kind: 'first' } : { kind: 'from', key: from };
}
