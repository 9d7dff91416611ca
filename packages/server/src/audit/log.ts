import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { RecordStore } from '../records/store.ts';
import { type AuditEntry, auditRecord } from './entry.ts';
import { RejectionBudget } from './rejection-budget.ts';
import { type HeldEntry, RepeatedEvents } from './repetitions.ts';
import { type AuditPage, type AuditReader, type AuditSearch, matchesFilter } from './search.ts';
import { AUDIT_SERIES, type AuditRetention, DEFAULT_RETENTION, shareOf } from './series.ts';
import {
  auditRecords,
  countUserEntries,
  isTrimNeeded,
  readEntriesBefore,
  timeId,
  writeEntries,
} from './store.ts';
import { type AuditEvent, type AuditTrail, NO_REQUEST } from './trail.ts';

/** Entries of one project that wait to be written, oldest first. */
interface AuditBatch {
  readonly projectId: string | null;
  readonly entries: readonly HeldEntry[];
}

/** Maximum number of buffered entries of all projects together. */
const MAX_WAITING = 10_000;

/** A bounded buffer of entries that wait to be written. */
class AuditBuffer {
  readonly #waiting = new Map<string | null, HeldEntry[]>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get isFull(): boolean {
    return this.#count >= MAX_WAITING;
  }

  add(entry: HeldEntry): void {
    const waiting = this.#waiting.get(entry.projectId);
    if (waiting === undefined) this.#waiting.set(entry.projectId, [entry]);
    else waiting.push(entry);
    entry.isWaiting = true;
    this.#count += 1;
  }

  /**
   * Removes at most `limit` entries of one project from the buffer and returns them. Rotates through the
   * projects. Returns `undefined` if the buffer is empty.
   */
  take(limit: number): AuditBatch | undefined {
    for (const [projectId, waiting] of this.#waiting) {
      const entries = waiting.splice(0, limit);
      for (const entry of entries) entry.isWaiting = false;
      this.#count -= entries.length;
      this.#waiting.delete(projectId);
      if (waiting.length > 0) this.#waiting.set(projectId, waiting);
      return { projectId, entries };
    }
    return undefined;
  }

  /** Puts entries that could not be written back into the buffer, before later ones. */
  requeue({ projectId, entries }: AuditBatch): void {
    // An entry that was repeated in the meantime is already in the buffer.
    const back = entries.filter(({ isWaiting }) => !isWaiting);
    for (const entry of back) entry.isWaiting = true;
    this.#waiting.set(projectId, [...back, ...(this.#waiting.get(projectId) ?? [])]);
    this.#count += back.length;
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

export interface AuditLogOptions {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retention?: AuditRetention;
  /** Returns the projects that have an audit log, and `null` if the server has one. */
  readonly listLogs?: () => readonly (string | null)[];
}

/** Maximum number of entries of users in all audit logs together. If there are more, the largest logs keep less. */
const MAX_KEPT_ENTRIES = 1_000_000;

/** Interval between removals of entries that exceed their retention, in ms. */
const SWEEP_MS = 3_600_000;

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
  readonly #listLogs: () => readonly (string | null)[];
  readonly #rejections: RejectionBudget;
  readonly #repeated: RepeatedEvents;
  readonly #buffer = new AuditBuffer();
  readonly #losses = new LossCounter();
  #timer: NodeJS.Timeout | undefined;
  /** The time, by `elapsedMs`, from which `join` writes the waiting events. */
  #joinableAtMs = 0;
  #lossTimer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  readonly #sweeper: NodeJS.Timeout;
  #isClosed = false;
  #observer: ((event: AuditEvent) => void) | undefined;

  constructor({
    recordStore,
    clock,
    logger,
    retention = DEFAULT_RETENTION,
    listLogs = () => [],
  }: AuditLogOptions) {
    this.#recordStore = recordStore;
    this.#clock = clock;
    this.#logger = logger;
    this.#retention = retention;
    this.#listLogs = listLogs;
    this.#rejections = new RejectionBudget(clock.elapsedMs);
    this.#repeated = new RepeatedEvents(clock.elapsedMs);
    this.#sweeper = setInterval(() => void this.sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** Calls `observer` with every later event. There is one observer. */
  observe(observer: (event: AuditEvent) => void): void {
    this.#observer = observer;
  }

  notify(event: AuditEvent): void {
    this.#observer?.(event);
    const { projectId } = event;
    const entry = this.#repeated.count(projectId, auditRecord(event, this.#clock.nowMs()));
    if (!entry.isWaiting) {
      // Without this limit, a client that is rejected in a million ways would displace all other events.
      const isNew = entry.record.count === 1;
      const isExcess = isNew && event.result !== 'ok' && !this.#rejections.take(projectId, event.address);
      if (isNew) entry.isLost = isExcess || this.#buffer.isFull;
      if (entry.isLost || this.#buffer.isFull) this.#lose(projectId);
      else this.#buffer.add(entry);
    }
    this.#schedule(FLUSH_MS);
  }

  join(): void {
    if (this.#timer !== undefined && this.#clock.elapsedMs() >= this.#joinableAtMs) void this.flush();
  }

  async search(projectId: string | null, search: AuditSearch): Promise<AuditPage> {
    await this.flush();
    const { sinceMs, series } = search;
    const kept = {
      retention: this.#retention,
      nowMs: this.#clock.nowMs(),
      wanted: series === null ? AUDIT_SERIES : [series],
    };
    const entries: AuditEntry[] = [];
    let before = firstBound(search);
    for (let searched = 0; searched < MAX_SEARCHED; searched += SEARCH_STEP) {
      const step = this.#recordStore.read((view) =>
        readEntriesBefore(view.records(auditRecords(projectId)), before, sinceMs ?? 0, SEARCH_STEP, kept),
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

  /** Removes entries that exceed their retention from all logs, in steps. */
  async sweep(): Promise<void> {
    const logs = this.#listLogs().map((projectId) => auditRecords(projectId));
    const counts = logs.map((name) => this.#recordStore.read((view) => countUserEntries(view.records(name))));
    const { users, administration } = this.#retention;
    const maxEntries = Math.min(users.maxEntries, shareOf(MAX_KEPT_ENTRIES, counts));
    const retention = { users: { ...users, maxEntries }, administration };
    for (const name of logs)
      while (
        !this.#isClosed &&
        this.#recordStore.read((view) => isTrimNeeded(view.records(name), retention, this.#clock.nowMs()))
      ) {
        if (!(await this.#trim(name, retention))) return;
        await setImmediate();
      }
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
    clearInterval(this.#sweeper);
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
      this.#buffer.add(this.#lossEntry(projectId, count));
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
    const { projectId, entries } = batch;
    try {
      const ids = await this.#recordStore.change((transaction) =>
        writeEntries(
          transaction.records(auditRecords(projectId)),
          entries,
          this.#retention,
          transaction.nowMs,
        ),
      );
      for (const [index, entry] of entries.entries()) entry.id = ids[index];
      return !this.#buffer.isEmpty;
    } catch (error) {
      this.#logger.error({ err: error, events: entries.length }, 'audit events could not be written');
      this.#buffer.requeue(batch);
      this.#schedule(RETRY_MS);
      return false;
    }
  }

  async #trim(name: string, retention: AuditRetention): Promise<boolean> {
    try {
      await this.#recordStore.change((transaction) =>
        writeEntries(transaction.records(name), [], retention, transaction.nowMs),
      );
      return true;
    } catch (error) {
      this.#logger.error({ err: error }, 'audit entries could not be removed');
      return false;
    }
  }

  #lossEntry(projectId: string | null, count: number): HeldEntry {
    const event: AuditEvent = {
      event: 'audit_lost',
      projectId,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail: `${count} events`,
    };
    return {
      projectId,
      record: auditRecord(event, this.#clock.nowMs()),
      id: undefined,
      isWaiting: false,
      isLost: false,
    };
  }
}

function firstBound({ before, untilMs }: AuditSearch): string | null {
  const until = untilMs === null ? null : timeId(untilMs);
  if (before === null || until === null) return before ?? until;
  return before < until ? before : until;
}
