import type { Key } from '../tree/key.ts';
import type { Priority } from '../tree/node.ts';
import { type IndexValue, indexValueOf, OBJECT } from '../tree/order.ts';
import { joinPaths, type Path } from '../tree/path.ts';
import { nodeBelow } from './node-below.ts';
import type { ProposedWrite } from './operation.ts';
import type { RuleTree, RuleView } from './rule-view.ts';
import { SingleWriteView } from './single-write-view.ts';

/** The tree as the writes of an operation would leave it. */
export function proposedView(tree: RuleTree, writes: readonly ProposedWrite[]): RuleView {
  const [first, second] = writes;
  if (first === undefined) return tree;
  return second === undefined ? new SingleWriteView(tree, first) : new MergedView(tree, writes);
}

/** A place at or below which something is written. */
interface Place {
  node: (ProposedWrite & { readonly kind: 'node' }) | undefined;
  priority: (ProposedWrite & { readonly kind: 'priority' }) | undefined;
  /** Does something come to be below it? */
  isFilled: boolean;
  /** What the removals below it leave of it; `undefined` until that is asked. */
  left: IndexValue | undefined;
  readonly below: Map<Key, Place>;
}

/**
 * A tree as disjoint writes would leave it: first removals, then values, then priorities. A node that is emptied goes
 * with its priority, and a leaf that gets children keeps its own.
 */
export class MergedView implements RuleView {
  readonly #tree: RuleTree;
  readonly #root = emptyPlace();

  constructor(tree: RuleTree, writes: readonly ProposedWrite[]) {
    this.#tree = tree;
    for (const write of writes) insert(this.#root, write);
  }

  findValue(path: Path): IndexValue {
    let place: Place | undefined = this.#root;
    for (let depth = 0; place !== undefined; depth++) {
      if (place.node !== undefined) return indexValueOf(nodeBelow(place.node.node, path, depth));
      const key: Key | undefined = path[depth];
      if (key === undefined) return this.#mergedValue(place, path);
      place = place.below.get(key);
    }
    return this.#tree.findValue(path);
  }

  findPriority(path: Path): Priority {
    let place: Place | undefined = this.#root;
    for (let depth = 0; place !== undefined; depth++) {
      if (place.node !== undefined) return nodeBelow(place.node.node, path, depth)?.priority ?? null;
      const key: Key | undefined = path[depth];
      if (key === undefined) return this.#mergedPriority(place, path);
      place = place.below.get(key);
    }
    return this.#tree.findPriority(path);
  }

  #mergedValue(place: Place, path: Path): IndexValue {
    return place.isFilled ? OBJECT : this.#valueLeft(place, path);
  }

  #mergedPriority(place: Place, path: Path): Priority {
    if (this.#mergedValue(place, path) === null) return null;
    if (place.priority !== undefined) return place.priority.priority;
    // A node that is emptied and filled again is another node.
    return this.#valueLeft(place, path) === null ? null : this.#tree.findPriority(path);
  }

  #valueLeft(place: Place, path: Path): IndexValue {
    if (place.left === undefined) place.left = this.#readValueLeft(place, path);
    return place.left;
  }

  #readValueLeft(place: Place, path: Path): IndexValue {
    if (place.node?.node === null) return null;
    const before = this.#tree.findValue(path);
    if (before !== OBJECT) return before;
    const { below } = place;
    for (const key of this.#tree.firstKeys(path, below.size + 1)) {
      const child = below.get(key);
      if (child === undefined || this.#valueLeft(child, joinPaths(path, [key])) !== null) return OBJECT;
    }
    return null;
  }
}

function emptyPlace(): Place {
  return { node: undefined, priority: undefined, isFilled: false, left: undefined, below: new Map() };
}

function insert(root: Place, write: ProposedWrite): void {
  const isFilling = write.kind === 'node' && write.node !== null;
  let place = root;
  for (const key of write.path) {
    if (isFilling) place.isFilled = true;
    let next = place.below.get(key);
    if (next === undefined) {
      next = emptyPlace();
      place.below.set(key, next);
    }
    place = next;
  }
  if (write.kind === 'node') place.node = write;
  else place.priority = write;
}
