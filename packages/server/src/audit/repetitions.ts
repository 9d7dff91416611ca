import { RecentMap } from '../platform/recent-map.ts';
import { type Rate, TokenBucket } from '../platform/token-bucket.ts';
import type { AuditRecord } from './entry.ts';
import { seriesOf } from './series.ts';
import { joinSubjects } from './subject.ts';

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

/**
 * How many actions on databases of one administrator have entries of their own. A backend can delete data as often as its
 * users ask it to.
 */
const ACTION_RATE = { burst: 200, perSecond: 1 / 600 };

/** How long further actions of a kind are counted together, in ms. */
const ACTION_PERIOD_MS = 3_600_000;

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
 *
 * Of actions of a kind on a database, `MAX_SINGLE` in a period have entries of their own, and at most `ACTION_RATE`. The
 * others are counted in one entry for `ACTION_PERIOD_MS`, so that no program fills the log with what it deletes.
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
    const { event, uid, tenant = null, actor, address, userAgent, result, detail, subject } = record;
    if (subject !== undefined) return this.#countAction(projectId, record, subject.database);
    const exact = this.#find([projectId, event, uid, tenant, actor, address, userAgent, result, detail]);
    if (exact.entry !== undefined) return countIn(exact.entry, record);
    if (exact.singles < MAX_SINGLE && this.#mayBeSingle(projectId, record)) {
      exact.singles += 1;
      return newEntry(projectId, record);
    }
    if (exact.singles === MAX_SINGLE) {
      exact.entry = newEntry(projectId, record);
      return exact.entry;
    }
    const kind = this.#find([projectId, event, tenant, actor, result]);
    if (kind.entry !== undefined) return countIn(kind.entry, record);
    kind.entry = newEntry(projectId, { ...record, uid: null, detail: null });
    return kind.entry;
  }

  #countAction(projectId: string | null, record: AuditRecord, database: string): HeldEntry {
    const { event, actor, detail } = record;
    const kind = [projectId, event, actor, detail, database];
    const period = this.#find(['action', ...kind]);
    if (period.singles < MAX_SINGLE && this.#take([projectId, actor, 'actions'], ACTION_RATE)) {
      period.singles += 1;
      return newEntry(projectId, record);
    }
    const others = this.#find(['actions', ...kind], ACTION_PERIOD_MS);
    if (others.entry !== undefined) return countIn(others.entry, record);
    others.entry = newEntry(projectId, record);
    return others.entry;
  }

  #mayBeSingle(projectId: string | null, record: AuditRecord): boolean {
    return seriesOf(record) === 'users' || this.#take([projectId, record.actor], ACTOR_RATE);
  }

  #take(who: readonly (string | null)[], rate: Rate): boolean {
    const key = JSON.stringify(who);
    const nowMs = this.#elapsedMs();
    const bucket = this.#actors.find(key) ?? new TokenBucket(rate, nowMs);
    this.#actors.write(key, bucket);
    return bucket.take(nowMs);
  }

  #find(members: readonly (string | null)[], periodMs = PERIOD_MS): Repetitions {
    const key = JSON.stringify(members);
    const nowMs = this.#elapsedMs();
    const known = this.#recent.find(key);
    if (known !== undefined && nowMs - known.sinceMs < periodMs) return known;
    const repetitions = { sinceMs: nowMs, singles: 0, entry: undefined };
    this.#recent.write(key, repetitions);
    return repetitions;
  }
}

function newEntry(projectId: string | null, record: AuditRecord): HeldEntry {
  return { projectId, record, id: undefined, isWaiting: false, isLost: false };
}

function countIn(entry: HeldEntry, { timeMs, subject }: AuditRecord): HeldEntry {
  const { record } = entry;
  const isJoined = record.subject !== undefined && subject !== undefined;
  entry.record = {
    ...record,
    count: record.count + 1,
    lastTimeMs: timeMs,
    ...(isJoined ? { subject: joinSubjects(record.subject, subject) } : {}),
  };
  return entry;
}
