import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuthorizationRequest } from '../../access/authorization-request.ts';
import type { Clock } from '../../platform/clock.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { DatabaseRecords } from '../../storage/transaction/database-record.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { OperationRing, type RecordedOperation, recordOperation } from './recording.ts';

/** The settings for recording the operations of a database. */
export interface RecordingSettings {
  readonly isOn: boolean;
  /** The share of operations that is recorded, chosen at random: 0 to 1. */
  readonly share: number;
}

/**
 * Reads settings. Missing fields keep their current values. Throws `request/malformed` for an unknown field or
 * an invalid value.
 */
function parseRecordingSettings(json: unknown, current: RecordingSettings): RecordingSettings {
  const fields: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...current, ...json } : {};
  const { isOn, share, ...others } = fields;
  if (
    typeof isOn !== 'boolean' ||
    typeof share !== 'number' ||
    !(share >= 0 && share <= 1) ||
    Object.keys(others).length > 0
  )
    throw new RequestError(
      'request/malformed',
      '"isOn" must be true or false, and "share" a number from 0 to 1.',
    );
  return { isOn, share };
}

export interface OperationRecorderOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  /** Returns a random number from 0 (included) to 1 (excluded). */
  readonly chance: () => number;
  /** Whether recording is on by default. */
  readonly isOnAtFirst: boolean;
}

/** The recorded operations of a database. */
export interface Recording {
  /** Oldest first. */
  readonly operations: readonly RecordedOperation[];
  /** Number of operations that were too large to record, since recording began. */
  readonly notRecorded: number;
  /** Number of operations above the rate limit, since recording began. */
  readonly sampledOut: number;
}

/** Limits of the recorded operations of each database. */
export const RING_BOUND = { count: 5_000, bytes: 16 * 2 ** 20 };

/** Rate limit of recording for each database, so that a flood of operations costs almost nothing. */
const RECORDING_RATE = { perSecond: 500, burst: 5_000 };

/**
 * Maximum size of all recorded operations in bytes. When they take more, the operations of the least recently used
 * database are removed.
 */
const MAX_TOTAL_BYTES = 64 * 2 ** 20;

/** Maximum number of databases with recorded operations. */
const MAX_RINGS = 1_000;

/** The recorded operations of a database, and its rate limiter. */
interface Recorded {
  readonly ring: OperationRing;
  readonly bucket: TokenBucket;
}

/**
 * Stores, for each database, the recent operations that rules allowed or denied, so that drafts of rules can be tested
 * against them. Stores them only in memory.
 */
export class OperationRecorder {
  readonly #options: OperationRecorderOptions;
  readonly #settings: DatabaseRecords<RecordingSettings>;
  /** In the order of their last use. */
  readonly #recorded = new Map<string, Recorded>();
  #lastUsed: Recorded | undefined;
  /** Size of all rings. */
  #bytes = 0;

  constructor(options: OperationRecorderOptions) {
    this.#options = options;
    const initial = { isOn: options.isOnAtFirst, share: 1 };
    this.#settings = new DatabaseRecords({
      store: options.store,
      prefix: 'recording/',
      initial,
      decode: (json) => parseRecordingSettings(json, initial),
    });
  }

  /**
   * Returns whether an operation of this transaction should be recorded: a random share of operations, within
   * the rate limit.
   */
  shouldRecord(transaction: WriteTransaction, database: string): boolean {
    const { isOn, share } = this.#settings.read(database, transaction);
    if (!isOn || (share < 1 && this.#options.chance() >= share)) return false;
    const { ring, bucket } = this.#use(database);
    if (bucket.take(this.#options.clock.elapsedMs())) return true;
    ring.sampledOut++;
    return false;
  }

  /** Records an operation before it changes data. The caller must call `shouldRecord` first and get true. */
  record(
    transaction: WriteTransaction,
    database: string,
    { operation, isUnrepeatable }: AuthorizationRequest,
  ): void {
    const { ring } = this.#use(database);
    const recorded = isUnrepeatable ? undefined : recordOperation(operation);
    if (recorded === undefined) {
      ring.notRecorded++;
      transaction.onRollback(() => {
        ring.notRecorded--;
      });
      return;
    }
    this.#change(ring, () => ring.add(recorded));
    transaction.onRollback(() => {
      if (this.#recorded.get(database)?.ring === ring) this.#change(ring, () => ring.remove(recorded));
    });
    this.#forgetUnused();
  }

  read(database: string): Recording {
    const { operations = [], notRecorded = 0, sampledOut = 0 } = this.#recorded.get(database)?.ring ?? {};
    return { operations, notRecorded, sampledOut };
  }

  readSettings(database: string): RecordingSettings {
    return this.#settings.read(database);
  }

  /**
   * Changes the settings in `json` and keeps the others. Throws `request/malformed` or `store/full`. Switching
   * recording off removes the recorded operations.
   */
  async changeSettings(database: string, json: unknown): Promise<RecordingSettings> {
    const settings = await this.#options.scheduler.request((transaction) => {
      transaction.assertWritable();
      const changed = parseRecordingSettings(json, this.#settings.read(database, transaction));
      this.#settings.write(transaction, database, changed);
      return changed;
    });
    if (!settings.isOn) this.#forget(database);
    return settings;
  }

  #use(database: string): Recorded {
    const known = this.#recorded.get(database);
    // Usually the same database is used again, and moving it costs more than this check.
    if (known !== undefined && known === this.#lastUsed) return known;
    const recorded = known ?? {
      ring: new OperationRing(RING_BOUND),
      bucket: new TokenBucket(RECORDING_RATE, this.#options.clock.elapsedMs()),
    };
    this.#recorded.delete(database);
    this.#recorded.set(database, recorded);
    this.#lastUsed = recorded;
    this.#forgetUnused();
    return recorded;
  }

  /** Changes a ring and updates the total size. */
  #change(ring: OperationRing, change: () => void): void {
    this.#bytes -= ring.bytes;
    change();
    this.#bytes += ring.bytes;
  }

  #forgetUnused(): void {
    for (const database of this.#recorded.keys()) {
      if (this.#bytes <= MAX_TOTAL_BYTES && this.#recorded.size <= MAX_RINGS) return;
      this.#forget(database);
    }
  }

  #forget(database: string): void {
    this.#bytes -= this.#recorded.get(database)?.ring.bytes ?? 0;
    this.#recorded.delete(database);
  }
}
