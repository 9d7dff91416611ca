import { setImmediate } from 'node:timers/promises';
import type { Books } from '../books/books.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { type AuditRetention, addEntries, auditBook, readEntriesBefore, timeId } from './audit-book.ts';
import { type AuditBatch, AuditBuffer } from './audit-buffer.ts';
import { type AuditEntry, type AuditRecord, auditRecord } from './audit-entry.ts';
import { type AuditPage, type AuditReader, type AuditSearch, isSought } from './audit-search.ts';
import { type AuditEvent, type AuditTrail, NO_REQUEST } from './audit-trail.ts';
import { LossCount } from './loss-count.ts';
import { RefusalBudget } from './refusal-budget.ts';

export interface AuditLogOptions {
  readonly books: Books;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retention?: AuditRetention;
}

const DEFAULT_RETENTION: AuditRetention = { maxEntries: 100_000, maxAgeMs: 400 * 86_400_000 };

/** How long events wait, so that many are written in one turn. They are lost if the process dies meanwhile. */
const FLUSH_MS = 100;

/** So long before their time events are written with a turn that comes anyway; younger ones wait for more of their kind. */
const JOIN_MS = FLUSH_MS / 2;

/** How often is written down how many events were lost: seldom, or that would push out the others. */
const LOSSES_MS = 60_000;

/** How long is waited after events could not be written. */
const RETRY_MS = 1_000;

/** Entries written in one turn. */
const MAX_WRITTEN = 50;

/** Entries that a search reads at a time, and at most for one page. */
const SEARCH_STEP = 100;
const MAX_SEARCHED = 20_000;

/** The audits of all projects, each in a book of its own, written in turns of their own a moment after it happened. */
export class AuditLog implements AuditTrail, AuditReader, AsyncDisposable {
  readonly #books: Books;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #retention: AuditRetention;
  readonly #refusals: RefusalBudget;
  readonly #buffer = new AuditBuffer();
  readonly #losses = new LossCount();
  #timer: NodeJS.Timeout | undefined;
  /** From when on what waits may be written with another turn. */
  #joinableAtMs = 0;
  #lossTimer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  #isClosed = false;

  constructor({ books, clock, logger, retention = DEFAULT_RETENTION }: AuditLogOptions) {
    this.#books = books;
    this.#clock = clock;
    this.#logger = logger;
    this.#retention = retention;
    this.#refusals = new RefusalBudget(clock.elapsedMs);
  }

  tell(event: AuditEvent): void {
    const { projectId } = event;
    // Else whoever is refused a million times would push everything else out.
    const isExcess = event.result !== 'ok' && !this.#refusals.take(projectId);
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
      const step = this.#books.read((view) =>
        readEntriesBefore(view.book(auditBook(projectId)), before, sinceMs, SEARCH_STEP),
      );
      for (const entry of step) {
        if (isSought(entry, search.filter)) entries.push(entry);
        before = entry.id;
        if (entries.length === search.limit) return { entries, next: before };
      }
      if (step.length < SEARCH_STEP) return { entries, next: null };
      // Others get their turns between the steps.
      await setImmediate();
    }
    return { entries, next: before };
  }

  /** Resolves when everything told so far is written, or waits because it cannot be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (await this.#writeNext());
  }

  /** Writes what waits, and takes nothing more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#tellLosses();
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lose(projectId: string | null): void {
    this.#losses.add(projectId);
    if (this.#isClosed || this.#lossTimer !== undefined) return;
    this.#lossTimer = setTimeout(() => this.#tellLosses(), LOSSES_MS);
    this.#lossTimer.unref();
  }

  #tellLosses(): void {
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

  /** Is there more to write? One batch at a time, so that entries keep their order. */
  async #writeNext(): Promise<boolean> {
    if (this.#writing !== undefined) return this.#writing;
    const batch = this.#buffer.take(MAX_WRITTEN);
    if (batch === undefined) return false;
    this.#writing = this.#write(batch).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Never rejects; `false` if it is to be tried later. */
  async #write(batch: AuditBatch): Promise<boolean> {
    const { projectId, records } = batch;
    try {
      await this.#books.change((turn) =>
        addEntries(turn.book(auditBook(projectId)), records, this.#retention, turn.nowMs),
      );
      return !this.#buffer.isEmpty;
    } catch (error) {
      this.#logger.error({ err: error, events: records.length }, 'audit events could not be written');
      this.#buffer.putBack(batch);
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
