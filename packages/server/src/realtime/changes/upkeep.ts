import type { Clock } from '../../platform/clock.ts';
import type { KvStore, KvWrite } from '../../storage/kv/store.ts';
import { SubtreeSize } from '../../storage/tree/subtree-walk.ts';
import {
  type ChangeRecord,
  findChange,
  listChangedDatabases,
  MAX_CHANGE_AGE_MS,
  MAX_KEPT_BYTES,
  putChange,
  readChanges,
  releaseChange,
  removeChange,
} from './record.ts';

/** The measurement of the data that one change keeps. */
interface Measurement {
  readonly database: string;
  readonly id: number;
  readonly size: SubtreeSize;
}

/** Interval between visits of all databases, in ms. */
const VISIT_MS = 60_000;
/** Maximum number of changes that one step removes. */
const MAX_REMOVED = 20;

/**
 * Measures in small steps the data that changes keep, and removes changes that are too old or beyond the size limit.
 * A measurement that a stop interrupts begins again.
 */
export class ChangeUpkeep {
  readonly #store: KvStore;
  readonly #clock: Clock;
  /** The databases that are not visited yet. */
  #databases: string[] = [];
  #measurement: Measurement | undefined;
  #visitedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: KvStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns whether `step` has work. */
  hasWork(): boolean {
    if (this.#measurement !== undefined || this.#databases.length > 0) return true;
    const nowMs = this.#clock.elapsedMs();
    if (nowMs - this.#visitedAtMs < VISIT_MS) return false;
    this.#visitedAtMs = nowMs;
    this.#databases = this.#store.read((tx) => [...listChangedDatabases(tx)]);
    return this.#databases.length > 0;
  }

  /** Measures until `isOver` returns true, or visits one database. Returns whether to call it again. */
  step(tx: KvWrite, isOver: () => boolean): boolean {
    const measurement = this.#measurement;
    if (measurement !== undefined) {
      if (this.#measure(tx, measurement, isOver)) this.#measurement = undefined;
      return true;
    }
    const database = this.#databases.pop();
    if (database === undefined) return false;
    const records = [...readChanges(tx, database)];
    const old = records.filter(({ timeMs, isOpen }) => {
      return !isOpen && this.#clock.nowMs() - timeMs > MAX_CHANGE_AGE_MS;
    });
    for (const record of old.slice(0, MAX_REMOVED)) removeChange(tx, database, record);
    if (old.length > MAX_REMOVED) {
      this.#databases.push(database);
      return true;
    }
    const left = limitKept(tx, database, records.slice(0, records.length - old.length));
    const next = left.find(({ isMeasured, isOpen }) => !isMeasured && !isOpen);
    if (next?.kept) {
      const tree = { holder: next.kept.holder, indexesAt: () => [] };
      this.#measurement = { database, id: next.id, size: new SubtreeSize(tree, []) };
      // Another change may need a measurement, and this one may turn out to be too large.
      this.#databases.push(database);
    }
    return true;
  }

  /** Returns whether the measurement is over. */
  #measure(tx: KvWrite, { database, id, size }: Measurement, isOver: () => boolean): boolean {
    const record = findChange(tx, database, id);
    if (record === undefined || record.kept === null) return true;
    if (!size.step(tx, isOver)) return false;
    putChange(tx, database, { ...record, bytes: size.bytes, isMeasured: true });
    return true;
  }
}

/**
 * Keeps the latest changes that fit into the size limit, and returns them. A change that alone is larger is not kept.
 * `records` begins with the latest change.
 */
function limitKept(tx: KvWrite, database: string, records: readonly ChangeRecord[]): readonly ChangeRecord[] {
  const left: ChangeRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    if (record.kept === null || record.isOpen) continue;
    if (bytes + record.bytes <= MAX_KEPT_BYTES) {
      bytes += record.bytes;
      left.push(record);
    } else
      releaseChange(tx, database, record, {
        final: record.bytes > MAX_KEPT_BYTES ? 'too-large' : 'displaced',
      });
  }
  return left;
}
