import type { RuleTree } from '@hearth/core/rules/rule-view.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { joinPaths, type Path } from '@hearth/core/tree/path.ts';
import { scalarSize } from '../denials/node-size.ts';

/** The node at a place, if it takes about so many bytes at most; else `undefined`. */
export function readSmallNode(tree: RuleTree, path: Path, maxBytes: number): TreeNode | null | undefined {
  return new Reader(tree, maxBytes).read(path);
}

class Reader {
  readonly #tree: RuleTree;
  #bytesLeft: number;

  constructor(tree: RuleTree, maxBytes: number) {
    this.#tree = tree;
    this.#bytesLeft = maxBytes;
  }

  read(path: Path): TreeNode | null | undefined {
    const value = this.#tree.findValue(path);
    if (value === null) return null;
    this.#bytesLeft -= scalarSize(path.at(-1) ?? '') + (typeof value === 'string' ? value.length : 0);
    if (this.#bytesLeft < 0) return undefined;
    const priority = this.#tree.findPriority(path);
    return value === OBJECT ? this.#readInner(path, priority) : leafNode(value, priority);
  }

  #readInner(path: Path, priority: TreeNode['priority']): TreeNode | null | undefined {
    const children: (readonly [Key, TreeNode])[] = [];
    // No more can fit.
    const limit = Math.floor(this.#bytesLeft / scalarSize('')) + 1;
    for (const key of this.#tree.firstKeys(path, limit)) {
      const child = this.read(joinPaths(path, [key]));
      if (child === undefined) return undefined;
      if (child !== null) children.push([key, child]);
    }
    return innerNode(children, priority);
  }
}
