import type { Priority } from '../tree/node.ts';
import { type IndexValue, indexValueOf, OBJECT } from '../tree/order.ts';
import { isAtOrAbove, joinPaths, type Path } from '../tree/path.ts';
import { nodeBelow } from './node-below.ts';
import type { ProposedWrite } from './operation.ts';
import type { RuleTree, RuleView } from './rule-view.ts';

/** A tree as one write would leave it; as `MergedView`, without what several writes need. */
export class SingleWriteView implements RuleView {
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

  /** A node above the removed one is left unless the way down to it is all there was. */
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
