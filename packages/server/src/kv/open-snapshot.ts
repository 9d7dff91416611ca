import {
  BEFORE_PREFIX_BYTES,
  beforeKey,
  beforeRange,
  decodeBefore,
  isSnapshotTable,
  type SnapshotTable,
} from './before-record.ts';
import { mergeScans, type Said } from './merge-scans.ts';
import { type KvSnapshot, SnapshotGone, type SnapshotHolder } from './snapshot.ts';
import { type KvEntry, type KvRange, type KvRead, keyAfter, PAUSE_ENTRY, type Table } from './store.ts';

/** Keys written since that a scan passes over from one pause to the next. */
const HIDDEN_PER_PAUSE = 500;

/** What a snapshot asks of the store that it belongs to. */
export interface SnapshotSource {
  /** Grows with whatever may change what a scan has ahead of it: a write, or that another body runs. */
  moment(): number;
  /** The reads of the body that is running. */
  mustRead(): KvRead;
  /** Generations from this one on that have saved something of a table, in order. */
  generationsFrom(number: number, table: SnapshotTable): readonly number[];
  closed(snapshot: OpenSnapshot): void;
}

type State = { readonly kind: 'open' | 'closed' } | { readonly kind: 'gone'; readonly reason: string };

/** A snapshot, from its opening until it is closed or given up. */
export class OpenSnapshot implements KvSnapshot {
  /** The first generation that saves what changes after the opening. */
  readonly generation: number;
  readonly #source: SnapshotSource;
  readonly #holder: SnapshotHolder;
  #state: State = { kind: 'open' };

  constructor(source: SnapshotSource, generation: number, holder: SnapshotHolder) {
    this.#source = source;
    this.generation = generation;
    this.#holder = holder;
  }

  /** For how long nothing was done with it, in ms. */
  get idleMs(): number {
    return this.#holder.idleMs?.() ?? 0;
  }

  find(table: Table, key: Buffer): Buffer | undefined {
    const tx = this.#mustRead();
    const covered = mustBeCovered(table);
    for (const generation of this.#source.generationsFrom(this.generation, covered)) {
      const record = tx.find('before', beforeKey(generation, covered, key));
      if (record !== undefined) return decodeBefore(record);
    }
    return tx.find(table, key);
  }

  *scan(table: Table, range: KvRange): Generator<KvEntry> {
    const covered = mustBeCovered(table);
    let ahead: KvRange | undefined = range;
    while (ahead !== undefined) ahead = yield* this.#scanMoment(covered, ahead);
  }

  [Symbol.dispose](): void {
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'closed' };
    this.#source.closed(this);
  }

  /** Lets go of a state that cannot be kept. */
  giveUp(reason: string): void {
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'gone', reason };
    this.#source.closed(this);
    this.#holder.onGone?.(reason);
  }

  /**
   * The pairs of a range until something may have changed ahead of the place it has reached; returns the range that is
   * left then. What was read ahead before a write, or in another body, says nothing about the time after it.
   */
  *#scanMoment(table: SnapshotTable, range: KvRange): Generator<KvEntry, KvRange | undefined> {
    const tx = this.#mustRead();
    const moment = this.#source.moment();
    const generations = this.#source.generationsFrom(this.generation, table);
    const pairs = generations.length === 0 ? tx.scan(table, range) : overlaid(tx, table, range, generations);
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

  #mustRead(): KvRead {
    switch (this.#state.kind) {
      case 'open':
        return this.#source.mustRead();
      case 'gone':
        throw new SnapshotGone(this.#state.reason);
      case 'closed':
        throw new Error('Bug: a closed snapshot is read');
      default:
        return this.#state satisfies never;
    }
  }
}

/** A range as it was: what the generations have saved, the oldest first, over what is there. */
function overlaid(
  tx: KvRead,
  table: SnapshotTable,
  range: KvRange,
  generations: readonly number[],
): Iterable<Said> {
  const saved = generations.map((generation) => savedPairs(tx, table, range, generation));
  return mergeScans([...saved, tx.scan(table, range)], range.isReversed === true);
}

function* savedPairs(tx: KvRead, table: SnapshotTable, range: KvRange, generation: number): Generator<Said> {
  for (const { key, value } of tx.scan('before', beforeRange(generation, table, range)))
    yield { key: key.subarray(BEFORE_PREFIX_BYTES), value: decodeBefore(value) };
}

function mustBeCovered(table: Table): SnapshotTable {
  if (isSnapshotTable(table)) return table;
  throw new Error(`Bug: snapshots do not keep the table ${table}`);
}
