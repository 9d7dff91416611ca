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
