import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { AuthorizationRequest } from '../../access/authorization-request.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { DatabaseRecords } from '../../storage/transaction/database-record.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { recordDenial } from './capture.ts';
import type { Denial } from './denial.ts';
import { type DenialEvaluation, evaluateDenial, evaluateDraft } from './evaluate.ts';
import { DenialGrouping, type DenialGroups, type Grouping, MAX_EXAMINED } from './groups.ts';
import { DenialRates } from './rates.ts';
import { decodeDenial, encodeDenial } from './record.ts';
import {
  type DenialFilter,
  type DenialSearch,
  type DenialSummary,
  FollowedLogs,
  isMatch,
  type LogSubscriber,
  MAX_HELD,
  summarize,
} from './search.ts';
import {
  addDenials,
  type DenialBatch,
  type DenialBound,
  DenialBuffer,
  type EncodedDenial,
  findDenial,
  listLoggedDatabases,
  readDenialsBefore,
  readDenialTotals,
  removeDenialTotals,
} from './table.ts';

/** The settings of a database's denial log. */
export interface DenialSettings {
  readonly isOn: boolean;
  /** Maximum number of entries; 1 to `MAX_KEEP`. */
  readonly keep: number;
  /** Maximum age of the entries in days; 1 to `MAX_DAYS`. */
  readonly days: number;
  /** Whether values of data are stored, so that drafts of rules can be tested against them. */
  readonly keepValues: boolean;
}

export const DEFAULT_DENIAL_SETTINGS: DenialSettings = {
  isOn: true,
  keep: 10_000,
  days: 7,
  keepValues: false,
};

const MAX_KEEP = 100_000;
const MAX_DAYS = 366;

/**
 * Reads settings. Missing fields keep their current values. Throws `request/malformed` for an unknown field or
 * an invalid value.
 */
export function parseDenialSettings(json: unknown, current: DenialSettings): DenialSettings {
  const fields: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...current, ...json } : {};
  const { isOn, keep, days, keepValues, ...others } = fields;
  if (
    typeof isOn !== 'boolean' ||
    typeof keepValues !== 'boolean' ||
    !isCount(keep, MAX_KEEP) ||
    !isCount(days, MAX_DAYS) ||
    Object.keys(others).length > 0
  )
    throw new RequestError(
      'request/malformed',
      `"isOn" and "keepValues" must be true or false, "keep" a whole number from 1 to ${MAX_KEEP}, and "days" a whole number from 1 to ${MAX_DAYS}.`,
    );
  return { isOn, keep, days, keepValues };
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
}

export interface DenialLogOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Whether denials of a database are stored; if absent, all are stored. A client can name any database, so without
   * this check the log would grow with databases that belong to no project.
   */
  readonly isStored?: (tx: KvRead, database: string) => boolean;
}

/** One page of a search, latest first. */
export interface DenialPage {
  readonly denials: readonly DenialSummary[];
  /** Number of denials that were counted but not stored, since the log began. */
  readonly sampledOut: number;
}

/** Maximum size of the log of one database in bytes, keys included. */
const MAX_LOG_BYTES = 64 * 2 ** 20;

/**
 * How long entries wait, in ms, so that many are written in one transaction. Waiting entries are lost if the
 * process dies.
 */
const FLUSH_MS = 250;

/** Delay before logs are trimmed after a change of settings or a sweep, in ms. */
const SETTLE_MS = 5;

/** Number of entries that a search reads at a time. */
const SEARCH_STEP = 50;

const DAY_MS = 86_400_000;

/** Interval at which entries that are too old are removed from all logs, in ms. */
const SWEEP_MS = 3_600_000;

/**
 * The denials of all databases: the operations that rules denied, and why. During a flood, only some denials are
 * explained and stored, so that the log costs little compared with the denials themselves. Entries are written in
 * transactions of their own.
 */
export class DenialLog {
  readonly #options: DenialLogOptions;
  readonly #settings: DatabaseRecords<DenialSettings>;
  readonly #rates: DenialRates;
  readonly #buffer = new DenialBuffer();
  readonly #followed = new FollowedLogs();
  readonly #sweeper: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: DenialLogOptions) {
    this.#options = options;
    this.#settings = new DatabaseRecords({
      store: options.store,
      prefix: 'denial-settings/',
      initial: DEFAULT_DENIAL_SETTINGS,
      decode: (json) => parseDenialSettings(json, DEFAULT_DENIAL_SETTINGS),
    });
    this.#rates = new DenialRates(options.clock.elapsedMs());
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /**
   * Returns whether a denial of this transaction should be explained and stored. Counts a denial that exceeds
   * the rates. `networkOf` returns the network of the client; absent if the server itself is denied.
   */
  shouldKeep(transaction: WriteTransaction, database: string, networkOf?: () => string): boolean {
    if (!this.#settings.read(database, transaction).isOn) return false;
    const nowMs = this.#options.clock.elapsedMs();
    if (this.#options.isStored?.(transaction.tx, database) === false) return false;
    if (this.#rates.take(database, networkOf?.(), nowMs)) return true;
    transaction.onRollback(this.#buffer.count(database));
    this.#schedule(FLUSH_MS);
    return false;
  }

  /**
   * Explains a denial in the state in which it was decided, and buffers it for the store. The caller must call
   * `shouldKeep` first and get true.
   */
  keep(transaction: WriteTransaction, database: string, request: AuthorizationRequest): void {
    const { keepValues } = this.#settings.read(database, transaction);
    const { clock } = this.#options;
    const startedMs = clock.elapsedMs();
    transaction.onRollback(this.#record(database, request, keepValues && !request.isUnrepeatable));
    this.#rates.spend(request.networkOf?.(), startedMs, clock.elapsedMs());
    this.#schedule(FLUSH_MS);
  }

  /** Returns the latest entries that match a search. */
  async search(database: string, search: DenialSearch): Promise<DenialPage> {
    await this.flush();
    const { store } = this.#options;
    const { sinceMs } = this.#boundOf(database);
    const found: DenialSummary[] = [];
    let before = search.before;
    while (found.length < search.limit) {
      const step = store.read((tx) => readDenialsBefore(tx, database, before, SEARCH_STEP));
      const kept = step.filter(({ timeMs }) => timeMs >= sinceMs);
      found.push(...kept.map(summarize).filter((denial) => isMatch(denial, search)));
      const last = kept.at(-1);
      if (last === undefined || kept.length < SEARCH_STEP) break;
      before = last.id;
      // Other requests run between the steps.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { sampledOut } = store.read((tx) => readDenialTotals(tx, database));
    return { denials: found.slice(0, search.limit), sampledOut };
  }

  /** Groups the entries of the last `periodMs` that match a filter: at most the latest `MAX_EXAMINED`. */
  async group(database: string, by: Grouping, periodMs: number, filter: DenialFilter): Promise<DenialGroups> {
    await this.flush();
    const { store, clock } = this.#options;
    const nowMs = clock.nowMs();
    const fromMs = Math.max(nowMs - periodMs, this.#boundOf(database).sinceMs);
    const grouping = new DenialGrouping(by, fromMs, nowMs);
    let before = Number.MAX_SAFE_INTEGER;
    for (let examined = 0; examined < MAX_EXAMINED; examined += SEARCH_STEP) {
      const step = store.read((tx) => readDenialsBefore(tx, database, before, SEARCH_STEP));
      const kept = step.filter(({ timeMs }) => timeMs >= fromMs);
      for (const denial of kept.map(summarize)) if (isMatch(denial, filter)) grouping.add(denial);
      const last = kept.at(-1);
      if (last === undefined || kept.length < SEARCH_STEP) return grouping.finish(true);
      before = last.id;
      // Other requests run between the steps.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return grouping.finish(false);
  }

  /** Subscribes to entries as they become durable. The caller must end the subscription. */
  follow(database: string): LogSubscriber {
    return this.#followed.follow(database);
  }

  /** Returns an entry. Throws `denial/unknown` if it is not stored or is too old. */
  async find(database: string, id: number): Promise<Denial> {
    await this.flush();
    const denial = this.#options.store.read((tx) => findDenial(tx, database, id));
    if (denial === undefined || denial.timeMs < this.#boundOf(database).sinceMs)
      throw new RequestError('denial/unknown');
    return denial;
  }

  /**
   * Evaluates an entry again, with the rules of the entry or of a rules document. Throws `denial/unknown`,
   * `rules/invalid` or `denial/no-values`.
   */
  async evaluate(database: string, id: number, source?: string): Promise<DenialEvaluation> {
    const denial = await this.find(database, id);
    return source === undefined ? evaluateDenial(denial) : evaluateDraft(denial, parseRules(source));
  }

  readSettings(database: string): DenialSettings {
    return this.#settings.read(database);
  }

  /**
   * Changes the settings in `json` and keeps the others. Throws `request/malformed` or `store/full`. Lower limits take
   * effect after a short delay.
   */
  async changeSettings(database: string, json: unknown): Promise<DenialSettings> {
    const settings = await this.#options.scheduler.request((transaction) => {
      transaction.assertWritable();
      const changed = parseDenialSettings(json, this.#settings.read(database, transaction));
      this.#settings.write(transaction, database, changed);
      return changed;
    });
    this.#buffer.putBack(emptyBatch(database));
    this.#schedule(SETTLE_MS);
    return settings;
  }

  /** Schedules the removal of entries that are too old, or whose database belongs to no project, from all logs. */
  sweep(): void {
    for (const database of this.#options.store.read(listLoggedDatabases))
      this.#buffer.putBack(emptyBatch(database));
    this.#schedule(SETTLE_MS);
  }

  /** Resolves when all buffered entries are in the store, or when the disk is full. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (
      !this.#buffer.isEmpty &&
      (await this.#options.scheduler.request((transaction) => this.#write(transaction)))
    );
    if (!this.#buffer.isEmpty) this.#schedule(FLUSH_MS);
  }

  /** Writes the buffered entries. Later entries are not written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await this.flush();
  }

  /**
   * Explains a denial and buffers it. Logs errors, because they must not affect the client whose operation was
   * denied.
   */
  #record(database: string, request: AuthorizationRequest, keepsValues: boolean): () => void {
    try {
      const denial = recordDenial(request, keepsValues);
      return this.#buffer.add(database, { timeMs: denial.timeMs, json: encodeDenial(denial) });
    } catch (error) {
      this.#options.logger.error({ err: error, database }, 'a denial could not be explained');
      return this.#buffer.count(database);
    }
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.flush().catch((error: unknown) =>
        this.#options.logger.error({ err: error }, 'denials could not be written'),
      );
    }, delayMs);
    this.#timer.unref();
  }

  /** Writes one batch. Returns false if the disk is full. */
  #write(transaction: WriteTransaction): boolean {
    if (!transaction.isWritable) return false;
    const batch = this.#buffer.take();
    if (batch === undefined) return true;
    const { database, sampledOut } = batch;
    transaction.onRollback(() => this.#buffer.putBack(batch));
    const isStored = this.#options.isStored?.(transaction.tx, database) !== false;
    const bound = isStored ? this.#boundOf(database, transaction) : EMPTY_LOG;
    const entries = isStored ? batch.entries : [];
    const isWithinBound = addDenials(transaction.tx, database, bound, entries, sampledOut);
    this.#notifyFollowers(transaction, database, entries.slice(-bound.count));
    if (!isWithinBound) transaction.onCommit(() => this.#buffer.putBack(emptyBatch(database)));
    else if (!isStored) removeDenialTotals(transaction.tx, database);
    return true;
  }

  /** Notifies subscribers of the entries that were just added. */
  #notifyFollowers(transaction: WriteTransaction, database: string, entries: readonly EncodedDenial[]): void {
    if (!this.#followed.has(database)) return;
    const { nextId, sampledOut } = readDenialTotals(transaction.tx, database);
    const latest = entries.slice(-MAX_HELD);
    const firstId = nextId - latest.length;
    transaction.onCommit(() => {
      const denials = latest.map(({ json }, index) => summarize(decodeDenial(firstId + index, json)));
      this.#followed.notify(database, denials, sampledOut);
    });
  }

  #boundOf(database: string, transaction?: WriteTransaction): DenialBound {
    const { keep, days } = this.#settings.read(database, transaction);
    return { count: keep, bytes: MAX_LOG_BYTES, sinceMs: this.#options.clock.nowMs() - days * DAY_MS };
  }
}

/** The bound of a log that is to be emptied. */
const EMPTY_LOG: DenialBound = { count: 0, bytes: 0, sinceMs: Number.POSITIVE_INFINITY };

/** Returns an empty batch. Putting it into the buffer only causes the log to be trimmed. */
function emptyBatch(database: string): DenialBatch {
  return { database, entries: [], sampledOut: 0 };
}
