import type { Key } from '../../tree/key.ts';
import { childOf, type TreeNode } from '../../tree/node.ts';
import { type IndexValue, indexValueOf } from '../../tree/order.ts';
import { joinPaths, MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, type RuleValue, type RuleView } from '../evaluate/values.ts';
import { nodeBelow } from '../evaluate/views.ts';
import { compilePath, type PathTemplate, type TemplatePart } from './paths.ts';

/** A question about a place: what it comes to at a place of a tree, for a node in hand, and where nothing can be. */
export interface PathPredicate {
  readonly atPath: (view: RuleView, path: Path) => RuleValue;
  readonly atNode: (node: TreeNode | null) => RuleValue;
  readonly nowhere: RuleValue;
}

/** A question that the value at the place answers. */
export function onValue(answer: (value: IndexValue) => RuleValue): PathPredicate {
  return {
    atPath: (view, path) => answer(view.findValue(path)),
    atNode: (node) => answer(indexValueOf(node)),
    nowhere: answer(null),
  };
}

/** Is anything there? */
export const EXISTENCE_PREDICATE: PathPredicate = {
  atPath: (view, path) => view.findValue(path) !== null,
  atNode: (node) => node !== null,
  nowhere: false,
};

/** Are all of these places below there? */
export function forAllPaths(ways: readonly (readonly Key[])[]): PathPredicate {
  return {
    atPath: (view, path) =>
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

export const PRIORITY_PREDICATE: PathPredicate = {
  atPath: (view, path) => view.findPriority(path),
  atNode: (node) => node?.priority ?? null,
  nowhere: null,
};

/** Looks at the place at the end of a way, in a rule of so many levels below the root. */
export function compilePredicate(predicate: PathPredicate, template: PathTemplate, depth: number): Evaluate {
  const below = template.tree === 'after' ? findKeysBelow(template.parts, depth) : undefined;
  return below === undefined
    ? compileDistantPredicate(predicate, template, depth)
    : compilePredicateBelow(predicate, template, below, depth);
}

function compileDistantPredicate(
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

/** A rule that is asked for what is written finds it in hand. */
function compilePredicateBelow(
  predicate: PathPredicate,
  template: PathTemplate,
  below: readonly Key[],
  depth: number,
): Evaluate {
  const onDistantPath = compileDistantPredicate(predicate, template, depth);
  const [only, second] = below;
  const find =
    only !== undefined && second === undefined
      ? (node: TreeNode | null) => childOf(node, only)
      : (node: TreeNode | null) => nodeBelow(node, below, 0);
  return (scope) => {
    const { written } = scope;
    return written === undefined || scope.path.length !== depth
      ? onDistantPath(scope)
      : predicate.atNode(find(written));
  };
}

/** The keys of a way that leads from the rule's own place down, by names that are known. */
function findKeysBelow(parts: readonly TemplatePart[], depth: number): readonly Key[] | undefined {
  const below: Key[] = [];
  for (const [level, part] of parts.entries()) {
    if (level < depth ? part !== level : typeof part !== 'string') return undefined;
    if (typeof part === 'string') below.push(part);
  }
  return parts.length < depth ? undefined : below;
}
