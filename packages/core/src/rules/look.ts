import type { Key } from '../tree/key.ts';
import type { TreeNode } from '../tree/node.ts';
import { type IndexValue, indexValueOf } from '../tree/order.ts';
import { joinPaths, MAX_DEPTH, type Path } from '../tree/path.ts';
import { nodeBelow } from './node-below.ts';
import type { RuleValue } from './rule-value.ts';
import type { RuleView } from './rule-view.ts';

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
