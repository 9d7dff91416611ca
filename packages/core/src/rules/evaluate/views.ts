import type { Key } from '../../tree/key.ts';
import { childOf, nodeAt, type Priority, type TreeNode } from '../../tree/node.ts';
import { type IndexValue, indexValueOf, OBJECT } from '../../tree/order.ts';
import { isAtOrAbove, joinPaths, type Path } from '../../tree/path.ts';
import type { ProposedWrite } from './operation.ts';
import type { RuleTree, RuleView } from './values.ts';

/**
 * Returns the node below `node` at the keys of `path` from index `from` on. Unlike `nodeAt`, it needs no copy
 * of these keys.
 */
export function nodeBelow(node: TreeNode | null, path: readonly Key[], from: number): TreeNode | null {
  let current = node;
  for (let depth = from; current !== null; depth++) {
    const key = path[depth];
    if (key === undefined) return current;
    current = childOf(current, key);
  }
  return null;
}

/** An in-memory tree, as rules read it. */
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

/**
 * A tree as one write would leave it. Works like `MergedView`, without the parts that only several writes need.
 */
class SingleWriteView implements RuleView {
  readonly #tree: RuleTree;
  readonly #write: ProposedWrite;

  constructor(tree: RuleTree, write: ProposedWrite) {
    this.#tree = tree;
    this.#write = write;
  }

  findValue(path: Path): IndexValue {
    const write = this.#write;
    if (write.kind === 'priority') return this.#tree.findValue(path);
    if (path.length >= write.path.length)
      return isAtOrAbove(write.path, path)
        ? indexValueOf(nodeBelow(write.node, path, write.path.length))
        : this.#tree.findValue(path);
    if (!isAtOrAbove(path, write.path)) return this.#tree.findValue(path);
    return write.node === null ? this.#valueAboveRemoval(path) : OBJECT;
  }

  findPriority(path: Path): Priority {
    const write = this.#write;
    if (write.kind === 'priority') {
      const isTarget = path.length === write.path.length && isAtOrAbove(path, write.path);
      if (!isTarget) return this.#tree.findPriority(path);
      return this.#tree.findValue(path) === null ? null : write.priority;
    }
    if (isAtOrAbove(write.path, path))
      return nodeBelow(write.node, path, write.path.length)?.priority ?? null;
    const isEmptied =
      write.node === null && isAtOrAbove(path, write.path) && this.#valueAboveRemoval(path) === null;
    return isEmptied ? null : this.#tree.findPriority(path);
  }

  /**
   * Returns the value that a node above the removed node has after the removal. The node remains unless it contains
   * only the path to the removed node.
   */
  #valueAboveRemoval(path: Path): IndexValue {
    const before = this.#tree.findValue(path);
    const key = this.#write.path[path.length];
    if (key === undefined) return null;
    if (before !== OBJECT) return before;
    const [first, second] = this.#tree.firstKeys(path, 2);
    if (second !== undefined || first !== key) return OBJECT;
    return this.#valueAboveRemoval(joinPaths(path, [key])) === null ? null : OBJECT;
  }
}

/** Returns the tree as the writes of an operation would leave it. */
export function proposedView(tree: RuleTree, writes: readonly ProposedWrite[]): RuleView {
  const [first, second] = writes;
  if (first === undefined) return tree;
  return second === undefined ? new SingleWriteView(tree, first) : new MergedView(tree, writes);
}

/** A path that has a write at or below it. */
interface WrittenLocation {
  node: (ProposedWrite & { readonly kind: 'node' }) | undefined;
  priority: (ProposedWrite & { readonly kind: 'priority' }) | undefined;
  /** Whether a write adds data below this path. */
  isFilled: boolean;
  /** The value that the removals below this path leave. `undefined` until it is first needed. */
  left: IndexValue | undefined;
  readonly below: Map<Key, WrittenLocation>;
}

/**
 * A tree as disjoint writes would leave it: first removals, then values, then priorities. A node that is
 * emptied loses its priority. A leaf that gets children keeps its priority.
 */
export class MergedView implements RuleView {
  readonly #tree: RuleTree;
  readonly #root = emptyLocation();

  constructor(tree: RuleTree, writes: readonly ProposedWrite[]) {
    this.#tree = tree;
    for (const write of writes) insert(this.#root, write);
  }

  findValue(path: Path): IndexValue {
    let location: WrittenLocation | undefined = this.#root;
    for (let depth = 0; location !== undefined; depth++) {
      if (location.node !== undefined) return indexValueOf(nodeBelow(location.node.node, path, depth));
      const key: Key | undefined = path[depth];
      if (key === undefined) return this.#mergedValue(location, path);
      location = location.below.get(key);
    }
    return this.#tree.findValue(path);
  }

  findPriority(path: Path): Priority {
    let location: WrittenLocation | undefined = this.#root;
    for (let depth = 0; location !== undefined; depth++) {
      if (location.node !== undefined) return nodeBelow(location.node.node, path, depth)?.priority ?? null;
      const key: Key | undefined = path[depth];
      if (key === undefined) return this.#mergedPriority(location, path);
      location = location.below.get(key);
    }
    return this.#tree.findPriority(path);
  }

  #mergedValue(location: WrittenLocation, path: Path): IndexValue {
    return location.isFilled ? OBJECT : this.#remainingValueOf(location, path);
  }

  #mergedPriority(location: WrittenLocation, path: Path): Priority {
    if (this.#mergedValue(location, path) === null) return null;
    if (location.priority !== undefined) return location.priority.priority;
    // A node that is emptied and filled again is a new node, so it does not keep its old priority.
    return this.#remainingValueOf(location, path) === null ? null : this.#tree.findPriority(path);
  }

  #remainingValueOf(location: WrittenLocation, path: Path): IndexValue {
    if (location.left === undefined) location.left = this.#computeRemainingValue(location, path);
    return location.left;
  }

  #computeRemainingValue(location: WrittenLocation, path: Path): IndexValue {
    if (location.node?.node === null) return null;
    const before = this.#tree.findValue(path);
    if (before !== OBJECT) return before;
    const { below } = location;
    for (const key of this.#tree.firstKeys(path, below.size + 1)) {
      const child = below.get(key);
      if (child === undefined || this.#remainingValueOf(child, joinPaths(path, [key])) !== null)
        return OBJECT;
    }
    return null;
  }
}

function emptyLocation(): WrittenLocation {
  return { node: undefined, priority: undefined, isFilled: false, left: undefined, below: new Map() };
}

function insert(root: WrittenLocation, write: ProposedWrite): void {
  const addsData = write.kind === 'node' && write.node !== null;
  let location = root;
  for (const key of write.path) {
    if (addsData) location.isFilled = true;
    let next = location.below.get(key);
    if (next === undefined) {
      next = emptyLocation();
      location.below.set(key, next);
    }
    location = next;
  }
  if (write.kind === 'node') location.node = write;
  else location.priority = write;
}
