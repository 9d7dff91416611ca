import type { Key } from '../tree/key.ts';
import { childOf, type TreeNode } from '../tree/node.ts';
import { pathOf } from '../tree/path.ts';
import type { Look } from './look.ts';
import { nodeBelow } from './node-below.ts';
import { compileWay, type PlaceWay, type WayPart } from './place-way.ts';
import type { Evaluate } from './rule-set.ts';
import { Fault } from './rule-value.ts';

/** Looks at the place at the end of a way, in a rule of so many levels below the root. */
export function compileLook(look: Look, way: PlaceWay, depth: number): Evaluate {
  const below = way.tree === 'after' ? findKeysBelow(way.parts, depth) : undefined;
  return below === undefined
    ? compileDistantLook(look, way, depth)
    : compileLookBelow(look, way, below, depth);
}

function compileDistantLook(look: Look, { tree, parts }: PlaceWay, depth: number): Evaluate {
  const findKeys = compileWay(parts, depth);
  return (scope) => {
    const keys = findKeys(scope);
    if (keys === null) return look.nowhere;
    if (keys instanceof Fault) return keys;
    return look.atPlace(tree === 'before' ? scope.before : scope.after, pathOf(keys));
  };
}

/** A rule that is asked for what is written finds it in hand. */
function compileLookBelow(look: Look, way: PlaceWay, below: readonly Key[], depth: number): Evaluate {
  const lookFar = compileDistantLook(look, way, depth);
  const [only, second] = below;
  const find =
    only !== undefined && second === undefined
      ? (node: TreeNode | null) => childOf(node, only)
      : (node: TreeNode | null) => nodeBelow(node, below, 0);
  return (scope) => {
    const { written } = scope;
    return written === undefined || scope.path.length !== depth ? lookFar(scope) : look.atNode(find(written));
  };
}

/** The keys of a way that leads from the rule's own place down, by names that are known. */
function findKeysBelow(parts: readonly WayPart[], depth: number): readonly Key[] | undefined {
  const below: Key[] = [];
  for (const [level, part] of parts.entries()) {
    if (level < depth ? part !== level : typeof part !== 'string') return undefined;
    if (typeof part === 'string') below.push(part);
  }
  return parts.length < depth ? undefined : below;
}
