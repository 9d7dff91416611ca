import type { Key } from '../../tree/key.ts';
import { childOf, type TreeNode } from '../../tree/node.ts';
import { type IndexValue, indexValueOf } from '../../tree/order.ts';
import { joinPaths, MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, type RuleValue, type RuleView } from '../evaluate/values.ts';
import { nodeBelow } from '../evaluate/views.ts';
import { compilePath, type PathTemplate, type TemplatePart } from './paths.ts';

/**
 * A question about the data at a path. It has one function for a path in a tree, one for a node in memory,
 * and the answer for a path that cannot exist.
 */
export interface PathPredicate {
  readonly atPath: (view: RuleView, path: Path) => RuleValue;
  readonly atNode: (node: TreeNode | null) => RuleValue;
  readonly nowhere: RuleValue;
}

/** Returns a predicate that depends only on the value at the path. */
export function onValue(answer: (value: IndexValue) => RuleValue): PathPredicate {
  return {
    atPath: (view, path) => answer(view.findValue(path)),
    atNode: (node) => answer(indexValueOf(node)),
    nowhere: answer(null),
  };
}

/** Whether data exists at the path. */
export const EXISTENCE_PREDICATE: PathPredicate = {
  atPath: (view, path) => view.findValue(path) !== null,
  atNode: (node) => node !== null,
  nowhere: false,
};

/** Returns a predicate that is true if data exists at every one of the given relative paths. */
export function forAllPaths(paths: readonly (readonly Key[])[]): PathPredicate {
  return {
    atPath: (view, path) =>
      paths.every(
        (keys) => path.length + keys.length <= MAX_DEPTH && view.findValue(joinPaths(path, keys)) !== null,
      ),
    atNode: (node) => {
      for (const keys of paths) if (nodeBelow(node, keys, 0) === null) return false;
      return true;
    },
    nowhere: paths.length === 0,
  };
}

export const PRIORITY_PREDICATE: PathPredicate = {
  atPath: (view, path) => view.findPriority(path),
  atNode: (node) => node?.priority ?? null,
  nowhere: null,
};

/** Compiles a predicate for the path of a template. `depth` is the depth of the rule's location. */
export function compilePredicate(predicate: PathPredicate, template: PathTemplate, depth: number): Evaluate {
  const below = template.tree === 'after' ? findKeysBelow(template.parts, depth) : undefined;
  return below === undefined
    ? compileTreePredicate(predicate, template, depth)
    : compilePredicateBelow(predicate, template, below, depth);
}

/** Compiles a predicate that reads any path from a tree. */
function compileTreePredicate(
  predicate: PathPredicate,
  { tree, parts }: PathTemplate,
  depth: number,
): Evaluate {
  const findKeys = compilePath(parts, depth);
  return (scope) => {
    const keys = findKeys(scope);
    if (keys === null) return predicate.nowhere;
    if (keys instanceof Fault) return keys;
    return predicate.atPath(tree === 'before' ? scope.before : scope.after, pathOf(keys));
  };
}

/**
 * Compiles a predicate for a path at or below the rule's location. When the scope has the written node, the
 * predicate reads that node instead of the tree.
 */
function compilePredicateBelow(
  predicate: PathPredicate,
  template: PathTemplate,
  below: readonly Key[],
  depth: number,
): Evaluate {
  const readFromTree = compileTreePredicate(predicate, template, depth);
  const [only, second] = below;
  const find =
    only !== undefined && second === undefined
      ? (node: TreeNode | null) => childOf(node, only)
      : (node: TreeNode | null) => nodeBelow(node, below, 0);
  return (scope) => {
    const { written } = scope;
    return written === undefined || scope.path.length !== depth
      ? readFromTree(scope)
      : predicate.atNode(find(written));
  };
}

/**
 * Returns the keys below the rule's own path if the template starts with that path and has only constant keys
 * below it. Otherwise returns `undefined`.
 */
function findKeysBelow(parts: readonly TemplatePart[], depth: number): readonly Key[] | undefined {
  const below: Key[] = [];
  for (const [level, part] of parts.entries()) {
    if (level < depth ? part !== level : typeof part !== 'string') return undefined;
    if (typeof part === 'string') below.push(part);
  }
  return parts.length < depth ? undefined : below;
}
