import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import type { AskedOperation } from './asked-operation.ts';
import { DatabaseRecords } from './database-records.ts';
import type { Denial } from './denial.ts';
import { type DenialBatch, DenialBuffer } from './denial-buffer.ts';
import { decodeDenial, encodeDenial } from './denial-record.ts';
import { type DenialSearch, type DenialSummary, isSought, summarize } from './denial-search.ts';
import { DEFAULT_DENIAL_SETTINGS, type DenialSettings, parseDenialSettings } from './denial-settings.ts';
import {
  addDenials,
  type DenialBound,
  type EncodedDenial,
  findDenial,
  readDenialsBefore,
  readDenialTotals,
} from './denial-table.ts';
import { type DenialEvaluation, evaluateDenial, evaluateDraft } from './evaluate-denial.ts';
import { FollowedLogs, type LogFollower, MAX_AT_HAND } from './followed-logs.ts';
import { recordDenial } from './record-denial.ts';
import { type Rate, TokenBucket } from './token-bucket.ts';

export interface DenialLogOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Entries of one page of a search, latest first. */
export interface DenialPage {
  readonly denials: readonly DenialSummary[];
  /** Denials that were counted and not kept, since the log began. */
  readonly sampledOut: number;
}

/** Most bytes of entries that the log of one database holds, keys included. */
const MAX_LOG_BYTES = 64 * 2 ** 20;

/** How many denials are explained and kept; the others are counted. */
const DATABASE_RATE: Rate = { perSecond: 200, burst: 1_000 };
const TOTAL_RATE: Rate = { perSecond: 1_000, burst: 2_000 };

/** Most databases whose rates are told apart at a time; beyond, all of them begin anew, and the total rate holds. */
const MAX_RATES = 1_000;

/** How long entries wait, so that many are written in one turn. They are lost if the process dies meanwhile. */
const FLUSH_MS = 250;

/** How soon the log is looked at when its settings have changed. */
const SETTLE_MS = 5;

/** Entries that a search reads at a time. */
const SEARCH_STEP = 50;

const DAY_MS = 86_400_000;

/**
 * The denials of all databases: what was refused by rules, and why. Of a flood only a part is explained and kept, so that
 * it costs little beside the refusals themselves; entries are written in turns of their own.
 */
export class DenialLog {
  readonly #options: DenialLogOptions;
  readonly #settings: DatabaseRecords<DenialSettings>;
  readonly #rates = new Map<string, TokenBucket>();
  readonly #totalRate: TokenBucket;
  readonly #buffer = new DenialBuffer();
  readonly #followed = new FollowedLogs();
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
    this.#totalRate = new TokenBucket(TOTAL_RATE, options.clock.elapsedMs());
  }

  /** Is a denial of this turn to be explained and kept? Counts it if it is not. */
  shouldKeep(turn: Turn, database: string): boolean {
    if (!this.#settings.read(database, turn).isOn) return false;
    const nowMs = this.#options.clock.elapsedMs();
    if (this.#rateOf(database, nowMs).take(nowMs) && this.#totalRate.take(nowMs)) return true;
    turn.onUndo(this.#buffer.count(database));
    this.#schedule(FLUSH_MS);
    return false;
  }

  /** Explains a denial on the state that it was decided on, and keeps it. To be called if `shouldKeep` says so. */
  keep(turn: Turn, database: string, asked: AskedOperation): void {
    const { keepValues } = this.#settings.read(database, turn);
    turn.onUndo(this.#record(database, asked, keepValues && !asked.isUnseen));
    this.#schedule(FLUSH_MS);
  }

  /** The latest entries that are sought. */
  async search(database: string, search: DenialSearch): Promise<DenialPage> {
    await this.flush();
    const { store } = this.#options;
    const { sinceMs } = this.#boundOf(database);
    const found: DenialSummary[] = [];
    let before = search.before;
    while (found.length < search.limit) {
      const step = store.read((tx) => readDenialsBefore(tx, database, before, SEARCH_STEP));
      const kept = step.filter(({ timeMs }) => timeMs >= sinceMs);
      found.push(...kept.map(summarize).filter((denial) => isSought(denial, search)));
      const last = kept.at(-1);
      if (last === undefined || kept.length < SEARCH_STEP) break;
      before = last.id;
      // Others get their turns between the steps.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { sampledOut } = store.read((tx) => readDenialTotals(tx, database));
    return { denials: found.slice(0, search.limit), sampledOut };
  }

  /** Has entries at hand from now on as they become durable. To be ended. */
  follow(database: string): LogFollower {
    return this.#followed.follow(database);
  }

  /** Refuses with `denial/unknown`. */
  async find(database: string, id: number): Promise<Denial> {
    await this.flush();
    const denial = this.#options.store.read((tx) => findDenial(tx, database, id));
    if (denial === undefined || denial.timeMs < this.#boundOf(database).sinceMs)
      throw new Refusal('denial/unknown');
    return denial;
  }

  /**
   * Evaluates an entry again: by its own rules, or by those of a document. Refuses with `denial/unknown`, `rules/invalid`,
   * or `denial/no-values`.
   */
  async evaluate(database: string, id: number, source?: string): Promise<DenialEvaluation> {
    const denial = await this.find(database, id);
    return source === undefined ? evaluateDenial(denial) : evaluateDraft(denial, parseRules(source));
  }

  readSettings(database: string): DenialSettings {
    return this.#settings.read(database);
  }

  /** Changes what `json` gives. Refuses with `request/malformed`. Fewer entries may be kept some moments later. */
  async changeSettings(database: string, json: unknown): Promise<DenialSettings> {
    const settings = await this.#options.committer.request((turn) => {
      turn.mustBeWritable();
      const changed = parseDenialSettings(json, this.#settings.read(database, turn));
      this.#settings.write(turn, database, changed);
      return changed;
    });
    this.#buffer.putBack(nothingOf(database));
    this.#schedule(SETTLE_MS);
    return settings;
  }

  /** Resolves when everything kept so far is in the store, or waits because the store is full. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#buffer.isEmpty && (await this.#options.committer.request((turn) => this.#write(turn))));
    if (!this.#buffer.isEmpty) this.#schedule(FLUSH_MS);
  }

  /** Writes what waits, and nothing later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #rateOf(database: string, nowMs: number): TokenBucket {
    const known = this.#rates.get(database);
    if (known !== undefined) return known;
    if (this.#rates.size >= MAX_RATES) this.#rates.clear();
    const rate = new TokenBucket(DATABASE_RATE, nowMs);
    this.#rates.set(database, rate);
    return rate;
  }

  /** Who is refused must not suffer if that cannot be explained. */
  #record(database: string, asked: AskedOperation, keepsValues: boolean): () => void {
    try {
      const denial = recordDenial(asked, keepsValues);
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

  /** Writes one batch; `false` if there is no room for it. */
  #write(turn: Turn): boolean {
    if (!turn.isWritable) return false;
    const batch = this.#buffer.take();
    if (batch === undefined) return true;
    const { database, entries, sampledOut } = batch;
    turn.onUndo(() => this.#buffer.putBack(batch));
    const bound = this.#boundOf(database, turn);
    const isWithin = addDenials(turn.tx, database, bound, entries, sampledOut);
    this.#tellFollowers(turn, database, entries.slice(-bound.count));
    if (!isWithin) turn.afterwards(() => this.#buffer.putBack(nothingOf(database)));
    return true;
  }

  /** `entries` are those that were just added. */
  #tellFollowers(turn: Turn, database: string, entries: readonly EncodedDenial[]): void {
    if (!this.#followed.has(database)) return;
    const { nextId, sampledOut } = readDenialTotals(turn.tx, database);
    const latest = entries.slice(-MAX_AT_HAND);
    const firstId = nextId - latest.length;
    turn.afterwards(() => {
      const denials = latest.map(({ json }, index) => summarize(decodeDenial(firstId + index, json)));
      this.#followed.tell(database, denials, sampledOut);
    });
  }

  #boundOf(database: string, turn?: Turn): DenialBound {
    const { keep, days } = this.#settings.read(database, turn);
    return { count: keep, bytes: MAX_LOG_BYTES, sinceMs: this.#options.clock.nowMs() - days * DAY_MS };
  }
}

/** Has no effect but that the log is looked at once more. */
function nothingOf(database: string): DenialBatch {
  return { database, entries: [], sampledOut: 0 };
}
