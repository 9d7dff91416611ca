import { keysOf, type NodePath, pathOf } from './node-path.ts';

/** Letters that open nodes may take of an address, encoded: addresses are cut by what they are sent through. */
export const MAX_OPEN_UNITS = 1_500;

/** No key has it. */
const SEPARATOR = '.';

/**
 * Open nodes as a parameter of an address: their paths below the node that the view begins at. Those nearest to it come
 * first, and those for which there is no room are left out. `null` when none is open.
 */
export function printOpenNodes(root: NodePath, open: readonly NodePath[]): string | null {
  const above = keysOf(root).length;
  const paths = open.map((path) => keysOf(path).slice(above)).sort((a, b) => a.length - b.length);
  let text = '';
  for (const path of paths) {
    const longer = [...(text === '' ? [] : [text]), path.join('/')].join(SEPARATOR);
    if (encodeURIComponent(longer).length > MAX_OPEN_UNITS) break;
    text = longer;
  }
  return text === '' ? null : text;
}

/** The open nodes of an address. */
export function readOpenNodes(root: NodePath, text: string | null): readonly NodePath[] {
  const above = keysOf(root);
  const parts = (text ?? '').split(SEPARATOR).map(keysOf);
  return parts.filter((keys) => keys.length > 0).map((keys) => pathOf([...above, ...keys]));
}
