import type { Key } from './key.ts';
import { type Priority, sortEntries, type TreeNode } from './node.ts';

/**
 * Writes at and below one node, which are applied together. No node may be written at or below another one, and if one
 * is removed, all are. The result is the same as that of `replaceAt` for each node and then `replacePriorityAt` for each
 * priority, but the cost is linear: these functions copy all children of a node for each write.
 */
export class CombinedWrites {
  readonly #below = new Map<Key, CombinedWrites>();
  #node: TreeNode | null | undefined;
  #priority: Priority | undefined;

  /**
   * Replaces the node at a path; `null` removes it. `from` is the index in `path` of the first key below the node to
   * which the writes are applied.
   */
  writeNode(path: readonly Key[], node: TreeNode | null, from: number): void {
    this.#at(path, from).#node = node;
  }

  /** Changes the priority of the node at a path. An absent node stays absent. */
  writePriority(path: readonly Key[], priority: Priority, from: number): void {
    this.#at(path, from).#priority = priority;
  }

  applyTo(before: TreeNode | null): TreeNode | null {
    const after = this.#node === undefined ? this.#applyBelow(before) : this.#node;
    return after === null || this.#priority === undefined ? after : { ...after, priority: this.#priority };
  }

  #at(path: readonly Key[], from: number): CombinedWrites {
    const key = path[from];
    if (key === undefined) return this;
    let next = this.#below.get(key);
    if (next === undefined) {
      next = new CombinedWrites();
      this.#below.set(key, next);
    }
    return next.#at(path, from + 1);
  }

  #applyBelow(before: TreeNode | null): TreeNode | null {
    if (this.#below.size === 0) return before;
    const children = new Map(before?.kind === 'inner' ? before.children : []);
    for (const [key, writes] of this.#below) {
      const child = writes.applyTo(children.get(key) ?? null);
      if (child === null) children.delete(key);
      else children.set(key, child);
    }
    // A removal below a leaf changes nothing, and a node without children is absent.
    if (children.size === 0) return before?.kind === 'leaf' ? before : null;
    return {
      kind: 'inner',
      children: new Map(sortEntries([...children])),
      priority: before?.priority ?? null,
    };
  }
}
