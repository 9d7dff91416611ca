import { must } from '@hearth/core/error/assert.ts';

/** A binary heap that finds the item of the highest rank. Each change takes logarithmic time. */
export class Ranking<Item> {
  readonly #rankOf: (item: Item) => number;
  /** The item at `index` ranks at least as high as those at `2 * index + 1` and `2 * index + 2`. */
  readonly #items: Item[] = [];
  readonly #indexes = new Map<Item, number>();

  constructor(rankOf: (item: Item) => number) {
    this.#rankOf = rankOf;
  }

  /** The item of the highest rank; `undefined` if there are no items. */
  get highest(): Item | undefined {
    return this.#items[0];
  }

  /** Adds an item, or moves an item whose rank has changed. */
  update(item: Item): void {
    const index = this.#indexes.get(item) ?? this.#items.length;
    this.#sink(item, this.#raise(item, index));
  }

  /** Removes an item if it is ranked. */
  remove(item: Item): void {
    const index = this.#indexes.get(item);
    if (index === undefined) return;
    this.#indexes.delete(item);
    const last = must(this.#items.pop(), 'a ranked item is in the heap');
    if (last === item) return;
    this.#place(last, index);
    this.update(last);
  }

  /** Moves an item up from an index, and returns its new index. */
  #raise(item: Item, from: number): number {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#at(parentIndex);
      if (this.#rankOf(parent) >= this.#rankOf(item)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
    return index;
  }

  /** Moves an item down from an index. */
  #sink(item: Item, from: number): void {
    let index = from;
    for (let child = 2 * index + 1; child < this.#items.length; child = 2 * index + 1) {
      const other = child + 1;
      if (other < this.#items.length && this.#rankOf(this.#at(other)) > this.#rankOf(this.#at(child)))
        child = other;
      if (this.#rankOf(item) >= this.#rankOf(this.#at(child))) break;
      this.#place(this.#at(child), index);
      index = child;
    }
    this.#place(item, index);
  }

  #at(index: number): Item {
    return must(this.#items[index], 'the heap has an item at each index');
  }

  #place(item: Item, index: number): void {
    this.#items[index] = item;
    this.#indexes.set(item, index);
  }
}

/** The properties of a lease that determine its rank. */
export interface OrderedItem<Self> {
  /** The amount that the lease holds outside of the reserve. */
  readonly shared: number;
  /** Time of the latest progress, in ms. */
  readonly progressAtMs: number;
  /** Set by `IdleOrder` only. */
  older: Self | undefined;
  /** Set by `IdleOrder` only. */
  newer: Self | undefined;
}

/** The leases of one network that can make room for others. */
export interface Candidates<Item> {
  /** The lease that makes room for other networks. */
  readonly first: Item | undefined;
  add(lease: Item): void;
  remove(lease: Item): void;
  /** Finds the lease to evict for another lease of the same network, which needs `amount` more. */
  findFor(newcomer: Item, amount: number): Item | undefined;
}

/** Leases in the order of their latest progress. A linked list: each change takes constant time. */
export class IdleOrder<Item extends OrderedItem<Item>> implements Candidates<Item> {
  /** The lease that has made no progress for the longest time. */
  first: Item | undefined;
  #newest: Item | undefined;
  readonly #idleMs: number;
  readonly #nowMs: () => number;

  constructor(idleMs: number, nowMs: () => number) {
    this.#idleMs = idleMs;
    this.#nowMs = nowMs;
  }

  add(lease: Item): void {
    lease.older = this.#newest;
    if (this.#newest === undefined) this.first = lease;
    else this.#newest.newer = lease;
    this.#newest = lease;
  }

  remove(lease: Item): void {
    if (lease.older === undefined) this.first = lease.newer;
    else lease.older.newer = lease.newer;
    if (lease.newer === undefined) this.#newest = lease.older;
    else lease.newer.older = lease.older;
    lease.older = undefined;
    lease.newer = undefined;
  }

  findFor(newcomer: Item): Item | undefined {
    const longest = this.first === newcomer ? newcomer.newer : this.first;
    const idleSinceMs = this.#nowMs() - this.#idleMs;
    return longest !== undefined && longest.progressAtMs <= idleSinceMs ? longest : undefined;
  }
}

/** Leases in the order of the amounts that they hold. */
export class SizeOrder<Item extends OrderedItem<Item>> implements Candidates<Item> {
  readonly #ranking = new Ranking<Item>(({ shared }) => shared);

  get first(): Item | undefined {
    return this.#ranking.highest;
  }

  add(lease: Item): void {
    this.#ranking.update(lease);
  }

  remove(lease: Item): void {
    this.#ranking.remove(lease);
  }

  findFor(newcomer: Item, amount: number): Item | undefined {
    const largest = this.#ranking.highest;
    if (largest === undefined || largest === newcomer) return undefined;
    return largest.shared > newcomer.shared + amount ? largest : undefined;
  }
}
