import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { RecordStore } from '../records/store.ts';
import { type AuditEntry, type AuditRecord, auditRecord } from './entry.ts';
import { type AuditPage, type AuditReader, type AuditSearch, matchesFilter } from './search.ts';
import { type AuditRetention, addEntries, auditRecords, readEntriesBefore, timeId } from './store.ts';
import { type AuditEvent, type AuditTrail, NO_REQUEST } from './trail.ts';

/** Events of one project that wait to be written, oldest first. */
export interface AuditBatch {
  readonly projectId: string | null;
  readonly records: readonly AuditRecord[];
}

/** Maximum number of buffered events of all projects together. */
const MAX_WAITING = 10_000;

/** A bounded buffer of events that wait to be written. */
class AuditBuffer {
  readonly #waiting = new Map<string | null, AuditRecord[]>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get isFull(): boolean {
    return this.#count >= MAX_WAITING;
  }

  add(projectId: string | null, record: AuditRecord): void {
    const waiting = this.#waiting.get(projectId);
    if (waiting === undefined) this.#waiting.set(projectId, [record]);
    else waiting.push(record);
    this.#count += 1;
  }

  /**
   * Removes at most `limit` events of one project from the buffer and returns them. Rotates through the
   * projects. Returns `undefined` if the buffer is empty.
   */
  take(limit: number): AuditBatch | undefined {
    for (const [projectId, waiting] of this.#waiting) {
      const records = waiting.splice(0, limit);
      this.#count -= records.length;
      this.#waiting.delete(projectId);
      if (waiting.length > 0) this.#waiting.set(projectId, waiting);
      return { projectId, records };
    }
    return undefined;
  }

  /** Puts events that could not be written back into the buffer, before later events. */
  requeue({ projectId, records }: AuditBatch): void {
    this.#waiting.set(projectId, [...records, ...(this.#waiting.get(projectId) ?? [])]);
    this.#count += records.length;
  }
}

/**
 * Maximum number of projects whose losses are counted separately. Losses of other projects are counted for
 * the whole server.
 */
const MAX_PROJECTS = 1_000;

/** Counts the events of each project that could not be stored. */
class LossCounter {
  readonly #lost = new Map<string | null, number>();

  add(projectId: string | null): void {
    const isRoom = this.#lost.size < MAX_PROJECTS || this.#lost.has(projectId);
    const key = isRoom ? projectId : null;
    this.#lost.set(key, (this.#lost.get(key) ?? 0) + 1);
  }

  /** Returns all counts and resets them. */
  takeAll(): readonly (readonly [projectId: string | null, count: number])[] {
    const all = [...this.#lost];
    this.#lost.clear();
    return all;
  }
}

interface Budget {
  left: number;
  atMs: number;
}

/** How many rejected requests of one project are recorded in one burst, and then per second. */
const BURST = 1_000;
const PER_SECOND = 1;

/**
 * Limits how many rejected requests of each project are recorded, so that they do not displace successful
 * events.
 */
class RejectionBudget {
  readonly #elapsedMs: () => number;
  readonly #budgets = new Map<string | null, Budget>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  take(projectId: string | null): boolean {
    const nowMs = this.#elapsedMs();
    const budget = this.#budgetOf(projectId, nowMs);
    budget.left = Math.min(BURST, budget.left + ((nowMs - budget.atMs) / 1_000) * PER_SECOND);
    budget.atMs = nowMs;
    if (budget.left < 1) return false;
    budget.left -= 1;
    return true;
  }

  #budgetOf(projectId: string | null, nowMs: number): Budget {
    const known = this.#budgets.get(projectId);
    if (known !== undefined) return known;
    if (this.#budgets.size >= MAX_PROJECTS) this.#budgets.clear();
    const budget = { left: BURST, atMs: nowMs };
    this.#budgets.set(projectId, budget);
    return budget;
  }
}

export interface AuditLogOptions {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retention?: AuditRetention;
}

const DEFAULT_RETENTION: AuditRetention = { maxEntries: 100_000, maxAgeMs: 400 * 86_400_000 };

/**
 * How long events wait, in ms, so that one transaction writes many. They are lost if the process dies before
 * it writes them.
 */
const FLUSH_MS = 100;

/**
 * Within this time before a planned write, in ms, `join` writes the waiting events early. Earlier calls of
 * `join` do nothing.
 */
const JOIN_MS = FLUSH_MS / 2;

/**
 * Interval between records of the number of lost events, in ms. More frequent records would displace other
 * events.
 */
const LOSSES_MS = 60_000;

/** Pause before another attempt after events could not be written, in ms. */
const RETRY_MS = 1_000;

/** Maximum number of entries that one transaction writes. */
const MAX_WRITTEN = 50;

/**
 * `SEARCH_STEP` is the number of entries that a search reads in one step, and `MAX_SEARCHED` the maximum for
 * one page.
 */
const SEARCH_STEP = 100;
const MAX_SEARCHED = 20_000;

/**
 * The audit logs of all projects, each in its own record store. Events are written a moment after they are
 * recorded, in separate transactions.
 */
export class AuditLog implements AuditTrail, AuditReader, AsyncDisposable {
  readonly #recordStore: RecordStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #retention: AuditRetention;
  readonly #rejections: RejectionBudget;
  readonly #buffer = new AuditBuffer();
  readonly #losses = new LossCounter();
  #timer: NodeJS.Timeout | undefined;
  /** The time, by `elapsedMs`, from which `join` writes the waiting events. */
  #joinableAtMs = 0;
  #lossTimer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  #isClosed = false;

  constructor({ recordStore, clock, logger, retention = DEFAULT_RETENTION }: AuditLogOptions) {
    this.#recordStore = recordStore;
    this.#clock = clock;
    this.#logger = logger;
    this.#retention = retention;
    this.#rejections = new RejectionBudget(clock.elapsedMs);
  }

  notify(event: AuditEvent): void {
    const { projectId } = event;
    // Without this limit, a client that is rejected a million times would displace all other events.
    const isExcess = event.result !== 'ok' && !this.#rejections.take(projectId);
    if (isExcess || this.#buffer.isFull) this.#lose(projectId);
    else this.#buffer.add(projectId, auditRecord(event, this.#clock.nowMs()));
    this.#schedule(FLUSH_MS);
  }

  join(): void {
    if (this.#timer !== undefined && this.#clock.elapsedMs() >= this.#joinableAtMs) void this.flush();
  }

  async search(projectId: string | null, search: AuditSearch): Promise<AuditPage> {
    await this.flush();
    const oldestMs = this.#clock.nowMs() - this.#retention.maxAgeMs;
    const sinceMs = Math.max(search.sinceMs ?? 0, oldestMs);
    const entries: AuditEntry[] = [];
    let before = firstBound(search);
    for (let searched = 0; searched < MAX_SEARCHED; searched += SEARCH_STEP) {
      const step = this.#recordStore.read((view) =>
        readEntriesBefore(view.records(auditRecords(projectId)), before, sinceMs, SEARCH_STEP),
      );
      for (const entry of step) {
        if (matchesFilter(entry, search.filter)) entries.push(entry);
        before = entry.id;
        if (entries.length === search.limit) return { entries, next: before };
      }
      if (step.length < SEARCH_STEP) return { entries, next: null };
      // Lets other work run between the steps.
      await setImmediate();
    }
    return { entries, next: before };
  }

  /** Resolves when all events recorded so far are written, or remain buffered because writing failed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (await this.#writeNext());
  }

  /** Writes the buffered events. Later events are not written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#reportLosses();
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lose(projectId: string | null): void {
    this.#losses.add(projectId);
    if (this.#isClosed || this.#lossTimer !== undefined) return;
    this.#lossTimer = setTimeout(() => this.#reportLosses(), LOSSES_MS);
    this.#lossTimer.unref();
  }

  #reportLosses(): void {
    clearTimeout(this.#lossTimer);
    this.#lossTimer = undefined;
    for (const [projectId, count] of this.#losses.takeAll())
      this.#buffer.add(projectId, this.#lossRecord(projectId, count));
    this.#schedule(FLUSH_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#joinableAtMs = this.#clock.elapsedMs() + delayMs - JOIN_MS;
    this.#timer = setTimeout(() => void this.flush(), delayMs);
    this.#timer.unref();
  }

  /**
   * Writes one batch. Returns whether there is more to write. Only one batch is written at a time, so that
   * entries keep their order.
   */
  async #writeNext(): Promise<boolean> {
    if (this.#writing !== undefined) return this.#writing;
    const batch = this.#buffer.take(MAX_WRITTEN);
    if (batch === undefined) return false;
    this.#writing = this.#write(batch).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /**
   * Writes a batch. Returns whether more events wait. If writing fails, puts the batch back, schedules
   * another attempt and returns false. Never rejects.
   */
  async #write(batch: AuditBatch): Promise<boolean> {
    const { projectId, records } = batch;
    try {
      await this.#recordStore.change((transaction) =>
        addEntries(transaction.records(auditRecords(projectId)), records, this.#retention, transaction.nowMs),
      );
      return !this.#buffer.isEmpty;
    } catch (error) {
      this.#logger.error({ err: error, events: records.length }, 'audit events could not be written');
      this.#buffer.requeue(batch);
      this.#schedule(RETRY_MS);
      return false;
    }
  }

  #lossRecord(projectId: string | null, count: number): AuditRecord {
    const event: AuditEvent = {
      event: 'audit_lost',
      projectId,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail: `${count} events`,
    };
    return auditRecord(event, this.#clock.nowMs());
  }
}

function firstBound({ before, untilMs }: AuditSearch): string | null {
  const until = untilMs === null ? null : timeId(untilMs);
  if (before === null || until === null) return before ?? until;
  return before < until ? before : until;
}
