import { compareEntries, type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvRead } from '../kv/store.ts';
import { entryValueFor } from './index-maintenance.ts';
import { planQuery, readingOrder, runPlan } from './query.ts';
import { findChildEntry, scanChildEntries } from './read.ts';
import type { StoredTree } from './stored-tree.ts';

/**
 * Number of entries that a scan keeps beyond the limit of its query. If changes remove more entries than these from the
 * result, the scan starts again.
 */
const SPARE_ENTRIES = 256;

/** The first entries of a query in reading order: at most as many as the query's limit plus `SPARE_ENTRIES`. */
class BestEntries {
  readonly #compare: (a: Entry, b: Entry) => number;
  readonly #capacity: number;
  readonly #sorted: Entry[] = [];
  readonly #byKey = new Map<Key, Entry>();
  /** Whether an entry was dropped, so that entries beyond the last one are unknown. */
  #hasDropped = false;

  constructor(query: Query, limit: number) {
    this.#compare = readingOrder(query);
    this.#capacity = limit + SPARE_ENTRIES;
  }

  get size(): number {
    return this.#sorted.length;
  }

  get hasDropped(): boolean {
    return this.#hasDropped;
  }

  /** Adds an entry, unless it belongs behind a dropped one. Its key must not be in the list. */
  put(entry: Entry): void {
    const index = this.#indexOf(entry);
    if (index === this.#sorted.length && (this.#hasDropped || index === this.#capacity)) {
      this.#hasDropped = true;
      return;
    }
    this.#sorted.splice(index, 0, entry);
    this.#byKey.set(entry.key, entry);
    if (this.#sorted.length <= this.#capacity) return;
    const dropped = this.#sorted.pop();
    if (dropped !== undefined) this.#byKey.delete(dropped.key);
    this.#hasDropped = true;
  }

  delete(key: Key): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    this.#byKey.delete(key);
    this.#sorted.splice(this.#indexOf(entry), 1);
  }

  /** Returns the first `count` entries, in query order. */
  take(count: number): readonly Entry[] {
    return this.#sorted.slice(0, count).sort(compareEntries);
  }

  /** Returns the index of an entry, or the index where it belongs. */
  #indexOf(entry: Entry): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && this.#compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Evaluates in steps a query that no index serves, by reading all children. The node may change between two steps: the
 * caller must call `touch` for every change at the path of the query.
 */
export class QueryScan {
  readonly #path: readonly Key[];
  readonly #query: Query;
  #node: NodeId | undefined;
  /** The last child that the scan has read. */
  #last: Key | undefined;
  #hasReadAll = false;
  #best: BestEntries | undefined;
  /** The entries in range of a query without a limit, in any order. */
  readonly #all = new Map<Key, Entry>();
  /** The result, if the query no longer needs a scan, for example because the node has become small. */
  #directResult: readonly Entry[] | undefined;
  /** Children that changed after the scan may have read them. */
  readonly #touched = new Set<Key>();
  #childrenRead = 0;

  constructor(path: readonly Key[], query: Query) {
    this.#path = path;
    this.#query = query;
  }

  /** Number of children that the scan has read so far, some of them several times if it started again. */
  get childrenRead(): number {
    return this.#childrenRead;
  }

  /** Number of entries and keys that the scan holds in memory. */
  get size(): number {
    return (this.#best?.size ?? this.#all.size) + this.#touched.size;
  }

  /** Records changed children, or with `null` a change of the whole node. */
  touch(keys: Iterable<Key> | null): void {
    if (keys === null) this.#restart(undefined);
    else for (const key of keys) this.#touched.add(key);
  }

  /**
   * Continues until `isOver` returns true or the scan is complete. Returns whether `entries` returns the result for the
   * state of `tx`.
   */
  step(tx: KvRead, tree: StoredTree, isOver: () => boolean): boolean {
    const plan = planQuery(tx, tree, this.#path, this.#query);
    if (plan.kind !== 'scan') {
      this.#directResult = Array.from(runPlan(tx, plan, this.#query), ({ entry }) => entry).sort(
        compareEntries,
      );
      return true;
    }
    if (plan.node !== this.#node || this.#directResult !== undefined) this.#restart(plan.node);
    if (!this.#readChildren(tx, plan.node, isOver)) return false;
    for (const key of this.#touched) {
      if (isOver()) return false;
      this.#touched.delete(key);
      this.#readAgain(tx, plan.node, key);
    }
    const { limit } = this.#query;
    const isShort = this.#best?.hasDropped === true && limit !== null && this.#best.size < limit;
    if (isShort) this.#restart(plan.node);
    return !isShort;
  }

  /** Returns the children that the query selects: in query order if it has a limit, else in any order. */
  entries(): readonly Entry[] {
    if (this.#directResult !== undefined) return this.#directResult;
    return this.#best?.take(this.#query.limit ?? 0) ?? [...this.#all.values()];
  }

  #restart(node: NodeId | undefined): void {
    const { limit } = this.#query;
    this.#node = node;
    this.#last = undefined;
    this.#hasReadAll = false;
    this.#directResult = undefined;
    this.#best = limit === null ? undefined : new BestEntries(this.#query, limit);
    this.#all.clear();
    this.#touched.clear();
  }

  /** Returns whether all children have been read. */
  #readChildren(tx: KvRead, node: NodeId, isOver: () => boolean): boolean {
    if (this.#hasReadAll) return true;
    for (const { key, entry } of scanChildEntries(tx, node, this.#last)) {
      if (key === this.#last) continue;
      if (isOver()) return false;
      this.#childrenRead += 1;
      this.#last = key;
      this.#put({ value: entryValueFor(tx, entry, this.#query.index), key });
    }
    this.#hasReadAll = true;
    return true;
  }

  #readAgain(tx: KvRead, node: NodeId, key: Key): void {
    this.#childrenRead += 1;
    this.#best?.delete(key);
    this.#all.delete(key);
    const stored = findChildEntry(tx, node, key);
    if (stored !== undefined) this.#put({ value: entryValueFor(tx, stored, this.#query.index), key });
  }

  #put(entry: Entry): void {
    if (!isInRange(this.#query, entry)) return;
    if (this.#best === undefined) this.#all.set(entry.key, entry);
    else this.#best.put(entry);
  }
}
