import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { AskedOperation } from '../denials/asked-operation.ts';
import { DatabaseRecords } from '../denials/database-records.ts';
import { TokenBucket } from '../denials/token-bucket.ts';
import type { KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import { OperationRing } from './operation-ring.ts';
import { recordOperation } from './record-operation.ts';
import type { RecordedOperation } from './recorded-operation.ts';
import { parseRecordingSettings, type RecordingSettings } from './recording-settings.ts';

export interface OperationRecorderOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly clock: Clock;
  /** A number from 0 to 1, 1 excluded, by chance. */
  readonly chance: () => number;
  /** Is recording on where nobody has set it? */
  readonly isOnAtFirst: boolean;
}

/** What is remembered of a database. */
export interface Recording {
  /** Oldest first. */
  readonly operations: readonly RecordedOperation[];
  /** Operations that were too long to be remembered, since recording began. */
  readonly notRecorded: number;
  /** Operations that came too fast to be remembered, since recording began. */
  readonly sampledOut: number;
}

/** What is remembered of each database at most. */
export const RING_BOUND = { count: 5_000, bytes: 16 * 2 ** 20 };

/** How many operations of each database are remembered in a time: a flood of them costs next to nothing. */
const RECORDING_RATE = { perSecond: 500, burst: 5_000 };

/** Most bytes of all databases; beyond, the one that was used longest ago is forgotten. */
const MAX_TOTAL_BYTES = 64 * 2 ** 20;

/** Most databases of which something is remembered. */
const MAX_RINGS = 1_000;

/** What is remembered of a database, and how much more may be. */
interface Recorded {
  readonly ring: OperationRing;
  readonly bucket: TokenBucket;
}

/**
 * The recent operations of all databases that rules were asked about, allowed or not: in memory alone, so that drafts of
 * rules can be tried on them.
 */
export class OperationRecorder {
  readonly #options: OperationRecorderOptions;
  readonly #settings: DatabaseRecords<RecordingSettings>;
  /** In the order in which they were last used. */
  readonly #recorded = new Map<string, Recorded>();
  #lastUsed: Recorded | undefined;
  /** Of all rings. */
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

  /** Is an operation of this turn to be recorded? Says so for a share of them, by chance, and not for too many at a time. */
  shouldRecord(turn: Turn, database: string): boolean {
    const { isOn, share } = this.#settings.read(database, turn);
    if (!isOn || (share < 1 && this.#options.chance() >= share)) return false;
    const { ring, bucket } = this.#use(database);
    if (bucket.take(this.#options.clock.elapsedMs())) return true;
    ring.sampledOut++;
    return false;
  }

  /** Remembers an operation before it has any effect. To be called if `shouldRecord` says so. */
  record(turn: Turn, database: string, { operation, isUnseen }: AskedOperation): void {
    const { ring } = this.#use(database);
    const recorded = isUnseen ? undefined : recordOperation(operation);
    if (recorded === undefined) {
      ring.notRecorded++;
      turn.onUndo(() => {
        ring.notRecorded--;
      });
      return;
    }
    this.#change(ring, () => ring.add(recorded));
    turn.onUndo(() => {
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

  /** Changes what `json` gives. Refuses with `request/malformed`. Who switches off has what was recorded forgotten. */
  async changeSettings(database: string, json: unknown): Promise<RecordingSettings> {
    const settings = await this.#options.committer.request((turn) => {
      turn.mustBeWritable();
      const changed = parseRecordingSettings(json, this.#settings.read(database, turn));
      this.#settings.write(turn, database, changed);
      return changed;
    });
    if (!settings.isOn) this.#forget(database);
    return settings;
  }

  #use(database: string): Recorded {
    const known = this.#recorded.get(database);
    // Mostly it is one database that is used, and moving it costs more than looking.
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

  /** Changes what a ring holds, and with it what all of them take. */
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
