import {
  BEFORE_PREFIX_BYTES,
  beforeKey,
  beforeRange,
  decodeBefore,
  isSnapshotTable,
  type SnapshotTable,
} from './preimage.ts';
import { type KvSnapshot, SnapshotExpired, type SnapshotHolder } from './snapshot.ts';
import {
  countPairs,
  type KeyRange,
  type KvEntry,
  type KvRange,
  type KvRead,
  keyAfter,
  PAUSE_ENTRY,
  type Table,
} from './store.ts';

/** An entry of a scan: a key and its value, or `undefined` if the scan marks the key as absent. */
export interface ScanEntry {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/**
 * Merges several scans of one range in their common order. If several scans contain the same key, the entry of
 * the first of these scans is used. Reads at most one entry ahead from each scan.
 */
function* mergeScans(scans: readonly Iterable<ScanEntry>[], isReversed: boolean): Generator<ScanEntry> {
  const sign = isReversed ? -1 : 1;
  const iterators = scans.map((scan) => scan[Symbol.iterator]());
  const heads = iterators.map(next);
  for (;;) {
    let first: ScanEntry | undefined;
    for (const head of heads)
      if (head !== undefined && (first === undefined || sign * head.key.compare(first.key) < 0)) first = head;
    if (first === undefined) return;
    const { key } = first;
    yield first;
    for (const [index, iterator] of iterators.entries())
      if (heads[index]?.key.equals(key) === true) heads[index] = next(iterator);
  }
}

function next(iterator: Iterator<ScanEntry>): ScanEntry | undefined {
  const step = iterator.next();
  return step.done === true ? undefined : step.value;
}

/** Number of keys written after the snapshot that a scan skips before it pauses. */
const HIDDEN_PER_PAUSE = 500;

/** The access of a snapshot to its store. */
export interface SnapshotSource {
  /**
   * Returns a counter that increases with every event that may change the rest of a scan: a write, or the start
   * or end of a body.
   */
  moment(): number;
  /** Returns the reads of the running body. Throws if no body is running. */
  readOrThrow(): KvRead;
  /** Returns the numbers of the epochs from `number` on that have preimages of a table, in order. */
  epochsFrom(number: number, table: SnapshotTable): readonly number[];
  closed(snapshot: OpenSnapshot): void;
}

type State = { readonly kind: 'open' | 'closed' } | { readonly kind: 'gone'; readonly reason: string };

/** A snapshot, from its opening until it is closed or evicted. */
export class OpenSnapshot implements KvSnapshot {
  /** The first epoch that saves preimages for this snapshot. */
  readonly epoch: number;
  readonly #source: SnapshotSource;
  readonly #holder: SnapshotHolder;
  #state: State = { kind: 'open' };

  constructor(source: SnapshotSource, epoch: number, holder: SnapshotHolder) {
    this.#source = source;
    this.epoch = epoch;
    this.#holder = holder;
  }

  /** Time since the snapshot was last used, in ms. */
  get idleMs(): number {
    return this.#holder.idleMs?.() ?? 0;
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    const tx = this.#readOrThrow();
    const covered = assertCovered(table);
    for (const epoch of this.#source.epochsFrom(this.epoch, covered)) {
      const record = tx.find('before', beforeKey(epoch, covered, key));
      if (record !== undefined) return decodeBefore(record);
    }
    return tx.find(table, key);
  }

  *scan(table: Table, range: KvRange): Generator<KvEntry> {
    const covered = assertCovered(table);
    let ahead: KvRange | undefined = range;
    while (ahead !== undefined) ahead = yield* this.#scanMoment(covered, ahead);
  }

  count(table: Table, range: KeyRange, limit: number): number {
    return countPairs(this.scan(table, range), limit);
  }

  [Symbol.dispose](): void {
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'closed' };
    this.#source.closed(this);
  }

  /** Evicts the snapshot and notifies its holder. */
  evict(reason: string): void {
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'gone', reason };
    this.#source.closed(this);
    this.#holder.onExpired?.(reason);
  }

  /**
   * Yields the pairs of a range until a later pair may have changed. Returns the remaining range, or
   * `undefined` at the end. Pairs that were read ahead before a write, or in another body, are no longer valid.
   */
  *#scanMoment(table: SnapshotTable, range: KvRange): Generator<KvEntry, KvRange | undefined> {
    const tx = this.#readOrThrow();
    const moment = this.#source.moment();
    const epochs = this.#source.epochsFrom(this.epoch, table);
    const pairs = epochs.length === 0 ? tx.scan(table, range) : overlaid(tx, table, range, epochs);
    let hidden = 0;
    for (const { key, value } of pairs) {
      if (value === undefined) {
        hidden += 1;
        if (range.isPausing !== true || hidden % HIDDEN_PER_PAUSE > 0) continue;
        yield PAUSE_ENTRY;
      } else {
        yield { key, value };
      }
      if (this.#source.moment() !== moment)
        return range.isReversed === true ? { ...range, upper: key } : { ...range, lower: keyAfter(key) };
    }
    return undefined;
  }

  #readOrThrow(): KvRead {
    switch (this.#state.kind) {
      case 'open':
        return this.#source.readOrThrow();
      case 'gone':
        throw new SnapshotExpired(this.#state.reason);
      case 'closed':
        throw new Error('Bug: a closed snapshot is read');
      default:
        return this.#state satisfies never;
    }
  }
}

/** Merges the preimages of the epochs, the oldest first, over the current pairs of a range. */
function overlaid(
  tx: KvRead,
  table: SnapshotTable,
  range: KvRange,
  epochs: readonly number[],
): Iterable<ScanEntry> {
  const saved = epochs.map((epoch) => savedPairs(tx, table, range, epoch));
  return mergeScans([...saved, tx.scan(table, range)], range.isReversed === true);
}

function* savedPairs(tx: KvRead, table: SnapshotTable, range: KvRange, epoch: number): Generator<ScanEntry> {
  for (const { key, value } of tx.scan('before', beforeRange(epoch, table, range)))
    yield { key: key.subarray(BEFORE_PREFIX_BYTES), value: decodeBefore(value) };
}

function assertCovered(table: Table): SnapshotTable {
  if (isSnapshotTable(table)) return table;
  throw new Error(`Bug: snapshots do not cover the table ${table}`);
}
