import type { Key } from '../../tree/key.ts';
import { childOf, type TreeNode } from '../../tree/node.ts';
import { type IndexValue, indexValueOf } from '../../tree/order.ts';
import { joinPaths, MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, type RuleValue, type RuleView } from '../evaluate/values.ts';
import { nodeBelow } from '../evaluate/views.ts';
import { compileWay, type PlaceWay, type WayPart } from './paths.ts';

/** A question about a place: what it comes to at a place of a tree, for a node in hand, and where nothing can be. */
export interface Look {
  readonly atPlace: (view: RuleView, path: Path) => RuleValue;
  readonly atNode: (node: TreeNode | null) => RuleValue;
  readonly nowhere: RuleValue;
}

/** A question that the value at the place answers. */
export function lookAtValue(answer: (value: IndexValue) => RuleValue): Look {
  return {
    atPlace: (view, path) => answer(view.findValue(path)),
    atNode: (node) => answer(indexValueOf(node)),
    nowhere: answer(null),
  };
}

/** Is anything there? */
export const EXISTENCE_LOOK: Look = {
  atPlace: (view, path) => view.findValue(path) !== null,
  atNode: (node) => node !== null,
  nowhere: false,
};

/** Are all of these places below there? */
export function lookForAll(ways: readonly (readonly Key[])[]): Look {
  return {
    atPlace: (view, path) =>
      ways.every(
        (keys) => path.length + keys.length <= MAX_DEPTH && view.findValue(joinPaths(path, keys)) !== null,
      ),
    atNode: (node) => {
      for (const keys of ways) if (nodeBelow(node, keys, 0) === null) return false;
      return true;
    },
    nowhere: ways.length === 0,
  };
}

export const PRIORITY_LOOK: Look = {
  atPlace: (view, path) => view.findPriority(path),
  atNode: (node) => node?.priority ?? null,
  nowhere: null,
};

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
