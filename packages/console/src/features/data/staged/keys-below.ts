import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { keysOf, type NodePath } from '../model/node-path.ts';

/** The keys that lead from a node to one at or below it. */
export function keysBelow(above: NodePath, path: NodePath): readonly Key[] {
  return keysOf(path).slice(keysOf(above).length).map(parseKey);
}
