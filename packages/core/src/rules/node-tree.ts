import type { Key } from '../tree/key.ts';
import { nodeAt, type Priority, type TreeNode } from '../tree/node.ts';
import { type IndexValue, indexValueOf } from '../tree/order.ts';
import type { Path } from '../tree/path.ts';
import type { RuleTree } from './rule-view.ts';

/** A tree in memory, as rules read it. */
export class NodeTree implements RuleTree {
  readonly #root: TreeNode | null;

  constructor(root: TreeNode | null) {
    this.#root = root;
  }

  findValue(path: Path): IndexValue {
    return indexValueOf(nodeAt(this.#root, path));
  }

  findPriority(path: Path): Priority {
    return nodeAt(this.#root, path)?.priority ?? null;
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const node = nodeAt(this.#root, path);
    const keys: Key[] = [];
    if (node?.kind !== 'inner') return keys;
    for (const key of node.children.keys()) {
      if (keys.length === limit) break;
      keys.push(key);
    }
    return keys;
  }
}
