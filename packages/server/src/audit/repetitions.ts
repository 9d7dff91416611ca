import { RecentMap } from '../platform/recent-map.ts';
import { TokenBucket } from '../platform/token-bucket.ts';
import type { AuditRecord } from './entry.ts';
import { seriesOf } from './series.ts';

/** An entry that waits to be written, or in which repetitions of its event are counted. */
export interface HeldEntry {
  readonly projectId: string | null;
  record: AuditRecord;
  /** `undefined` until the entry is written for the first time. */
  id: string | undefined;
  /** Whether the entry waits to be written, for the first time or with another count. */
  isWaiting: boolean;
  /** Whether the first event was lost. Then its repetitions are lost too. */
  isLost: boolean;
}

/** How long repetitions of an event are counted together, in ms. */
const PERIOD_MS = 60_000;

/** Number of equal events of a period that have entries of their own. */
const MAX_SINGLE = 5;

/** Maximum number of different events that are compared with later ones. */
const MAX_REMEMBERED_EVENTS = 10_000;

/** How many different administrative events of one administrator have entries of their own. */
const ACTOR_RATE = { burst: 10_000, perSecond: 0.1 };

/** Maximum number of administrators whose events are counted. */
const MAX_REMEMBERED_ACTORS = 1_000;

/** The repetitions of an event in a period. */
interface Repetitions {
  readonly sinceMs: number;
  singles: number;
  /** The entry in which further repetitions are counted. */
  entry: HeldEntry | undefined;
}

/**
 * Counts repetitions of events in one entry, so that a client that repeats a request does not push other entries out.
 * An event repeats another if all members are equal except the time and the request ID. An administrator who causes
 * very many different events gets one entry for each kind of event and period.
 */
export class RepeatedEvents {
  readonly #elapsedMs: () => number;
  readonly #recent = new RecentMap<Repetitions>(MAX_REMEMBERED_EVENTS);
  readonly #actors = new RecentMap<TokenBucket>(MAX_REMEMBERED_ACTORS);

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Returns the entry of an event: a new one with the count 1, or the one that counts its repetitions. */
  count(projectId: string | null, record: AuditRecord): HeldEntry {
    const { event, uid, actor, address, userAgent, result, detail } = record;
    const exact = this.#find([projectId, event, uid, actor, address, userAgent, result, detail]);
    if (exact.entry !== undefined) return countIn(exact.entry, record);
    if (exact.singles < MAX_SINGLE && this.#mayBeSingle(projectId, record)) {
      exact.singles += 1;
      return newEntry(projectId, record);
    }
    if (exact.singles === MAX_SINGLE) {
      exact.entry = newEntry(projectId, record);
      return exact.entry;
    }
    const kind = this.#find([projectId, event, actor, result]);
    if (kind.entry !== undefined) return countIn(kind.entry, record);
    kind.entry = newEntry(projectId, { ...record, uid: null, detail: null });
    return kind.entry;
  }

  #mayBeSingle(projectId: string | null, record: AuditRecord): boolean {
    if (seriesOf(record) === 'users') return true;
    const key = JSON.stringify([projectId, record.actor]);
    const nowMs = this.#elapsedMs();
    const bucket = this.#actors.find(key) ?? new TokenBucket(ACTOR_RATE, nowMs);
    this.#actors.write(key, bucket);
    return bucket.take(nowMs);
  }

  #find(members: readonly (string | null)[]): Repetitions {
    const key = JSON.stringify(members);
    const nowMs = this.#elapsedMs();
    const known = this.#recent.find(key);
    if (known !== undefined && nowMs - known.sinceMs < PERIOD_MS) return known;
    const repetitions = { sinceMs: nowMs, singles: 0, entry: undefined };
    this.#recent.write(key, repetitions);
    return repetitions;
  }
}

function newEntry(projectId: string | null, record: AuditRecord): HeldEntry {
  return { projectId, record, id: undefined, isWaiting: false, isLost: false };
}

function countIn(entry: HeldEntry, { timeMs }: AuditRecord): HeldEntry {
  entry.record = { ...entry.record, count: entry.record.count + 1, lastTimeMs: timeMs };
  return entry;
}
