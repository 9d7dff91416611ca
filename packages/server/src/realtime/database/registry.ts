import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import type { Principal } from '../../access/principal.ts';
import { requireReadAll } from '../../access/rights.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { DecisionObserver } from '../../rules/decision.ts';
import { type PublicationRequest, RulesHistory } from '../../rules/publishing/history.ts';
import { findRules, LOCKED_RULES } from '../../rules/publishing/versions.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvRead, NotPromise } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { DatabaseActivity, Traffic } from '../monitoring/database-activity.ts';
import { Profiling } from '../monitoring/profiling.ts';
import { DatabaseTriggers, type EventReceiver, FunctionTriggers } from '../triggers/triggers.ts';
import { DatabaseAdmin } from './administration.ts';
import type { DatabaseService } from './api.ts';
import { canAuthorizeWithoutValue } from './authorize.ts';
import { DatabaseCatalog, isRecordDatabase } from './catalog.ts';
import { Database } from './database.ts';
import { decideRead } from './read.ts';
import { StoredSettings } from './settings.ts';
import { ReadLane } from './snapshot-read.ts';
import type { StandaloneListen } from './standalone-listen.ts';
import type { ReadAnswer, ReadRequest } from './tree-view.ts';
import { decideWrite, type WriteRequest, type WriteResult } from './write.ts';
import type { WriteSizeLimit } from './write-input.ts';

export interface DatabasesOptions {
  readonly store: SnapshotKvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Delivers events to functions. Without it, triggers deliver nothing. */
  readonly eventReceiver?: EventReceiver;
  /** Returns the observer of a database's rule decisions. Without it, decisions are not observed. */
  readonly observeDecisions?: (database: string) => DecisionObserver;
  /** Source of the rules that a database has until its own rules are published. */
  readonly newDatabaseRules: string;
}

/** Number of open databases at which idle ones are closed. A closed database is opened again when needed. */
const MAX_OPEN = 1_000;

/**
 * Total size of the open databases' rules at which idle databases are closed, in UTF-16 code units of source.
 * In memory, rules take about a hundred times as much.
 */
const MAX_OPEN_RULES_UNITS = 4 * 2 ** 20;

const LOCKED = parseRules(LOCKED_RULES);

/** All databases of the data directory. */
export class Databases implements DatabaseService {
  readonly administration: DatabaseAdmin;
  readonly profiling: Profiling;
  readonly rulesHistory: RulesHistory;
  readonly #options: DatabasesOptions;
  readonly #catalog = new DatabaseCatalog();
  readonly #settings: StoredSettings;
  readonly #triggers: FunctionTriggers;
  readonly #readLane = new ReadLane();
  readonly #newDatabaseRules: RuleSet;
  readonly #open = new Map<string, Database>();
  /** Number of open databases at which idle ones are closed next. */
  #maxOpen = MAX_OPEN;
  /** Upper bound of the total rules size of the open databases. */
  #rulesUnits = 0;
  #maxRulesUnits = MAX_OPEN_RULES_UNITS;
  #lastPushKey: PushKeyState | undefined;

  constructor(options: DatabasesOptions) {
    this.#options = options;
    this.#newDatabaseRules = parseRules(options.newDatabaseRules);
    this.#settings = new StoredSettings(options.store);
    this.#triggers = new FunctionTriggers(options.eventReceiver ?? { receive: () => undefined });
    const { scheduler, clock } = options;
    this.profiling = new Profiling({
      scheduler,
      clock,
      openDatabase: (name, transaction) => this.open(name, transaction),
    });
    this.rulesHistory = new RulesHistory({
      scheduler,
      putInForce: (transaction, name, rules) => this.#replaceRules(transaction, name, rules),
    });
    this.administration = new DatabaseAdmin({
      scheduler,
      directory: this.#catalog,
      settings: this.#settings,
      rulesHistory: this.rulesHistory,
      addTrigger: (name, trigger) => this.#triggers.add(name, trigger),
      createKey: () => this.createPushKey(),
    });
  }

  /**
   * Returns a database by its valid name, opening it if needed. The first write creates the stored database.
   * Within a transaction, this includes the transaction's own writes.
   */
  open(name: string, transaction?: WriteTransaction): Database {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= this.#maxOpen || this.#rulesUnits > this.#maxRulesUnits)
      this.#closeIdle(transaction);
    const rules = this.#readRules(name, transaction);
    this.#rulesUnits += rules.source.length;
    const database = new Database(
      name,
      rules,
      (current) => this.#catalog.openTree(current, name),
      this.#options.clock.elapsedMs,
    );
    database.triggers = new DatabaseTriggers(name, this.#triggers, this.#settings);
    database.decisions = this.#options.observeDecisions?.(name) ?? null;
    this.#open.set(name, database);
    transaction?.onRollback(() => this.#open.delete(name));
    return database;
  }

  /** Yields the activity of each open database. */
  *activities(): Generator<DatabaseActivity> {
    for (const { activity } of this.#open.values()) yield activity;
  }

  activityOf(name: string): DatabaseActivity {
    return this.open(name).activity;
  }

  trafficOf(name: string): Traffic {
    return this.activityOf(name);
  }

  read(name: string, request: ReadRequest): Promise<ReadAnswer> {
    const { store, clock, logger } = this.#options;
    return this.#request(name, (transaction, database) =>
      decideRead(transaction, database, request, { store, clock, logger, lane: this.#readLane }),
    );
  }

  write(name: string, request: WriteRequest): Promise<WriteResult> {
    return this.#request(name, (transaction, database) => {
      const commit = decideWrite(transaction, database, request);
      const { hashOf } = request;
      return { commit, hash: hashOf === undefined ? null : database.tree(transaction).hash(hashOf) };
    });
  }

  listen(name: string, listen: StandaloneListen): Promise<void> {
    return this.#request(name, (transaction, database) => listen.start(transaction, database));
  }

  writeSizeLimit(name: string): WriteSizeLimit {
    return this.#settings.read(name).defaultWriteSizeLimit;
  }

  canAuthorizeWithoutValue(name: string, path: Path, identity: Principal): boolean {
    return canAuthorizeWithoutValue(this.open(name).rules, path, identity);
  }

  createPushKey(): string {
    const { clock, randomBytes } = this.#options;
    const { key, state } = pushKey(clock.nowMs(), randomBytes(12), this.#lastPushKey);
    this.#lastPushKey = state;
    return key;
  }

  readRules(name: string, identity: Principal): Promise<string> {
    return this.#request(name, (_transaction, database) => {
      requireReadAll(identity);
      return database.rules.source;
    });
  }

  async writeRules(
    name: string,
    identity: Principal,
    source: string,
    request: PublicationRequest = {},
  ): Promise<void> {
    await this.rulesHistory.publish(identity, name, source, request);
  }

  #replaceRules(transaction: WriteTransaction, name: string, rules: RuleSet): void {
    const database = this.open(name, transaction);
    this.#catalog.writeRules(transaction, name, rules);
    this.#rulesUnits += rules.source.length;
    database.replaceRules(transaction, rules);
  }

  #request<T>(name: string, body: (transaction: WriteTransaction, database: Database) => NotPromise<T>): Promise<T> {
    const { scheduler, clock } = this.#options;
    const startedMs = clock.elapsedMs();
    return scheduler.request((transaction) => {
      const database = this.open(name, transaction);
      transaction.onCommit(() => database.activity.recordLatency(clock.elapsedMs() - startedMs));
      return body(transaction, database);
    });
  }

  /**
   * Reads and parses the stored rules. This version of the program may reject rules that an earlier version
   * accepted. Then the database is locked and the log says why.
   */
  #readRules(name: string, transaction: WriteTransaction | undefined): RuleSet {
    const find = (tx: KvRead): string | undefined => findRules(tx, name);
    const source = transaction === undefined ? this.#options.store.read(find) : find(transaction.tx);
    if (source === undefined) return isRecordDatabase(name) ? LOCKED : this.#newDatabaseRules;
    try {
      return parseRules(source);
    } catch (error) {
      this.#options.logger.error(
        { err: error, database: name },
        'the stored rules cannot be read; the database is locked',
      );
      return { source, root: LOCKED.root };
    }
  }

  #closeIdle(transaction: WriteTransaction | undefined): void {
    for (const [name, database] of this.#open) {
      if (!database.isIdle) continue;
      this.#open.delete(name);
      // The database may be idle because of what this transaction did.
      transaction?.onRollback(() => this.#open.set(name, database));
    }
    // Doubling the limits keeps the search cheap for each opened database, even if hardly any database is idle.
    this.#maxOpen = Math.max(MAX_OPEN, 2 * this.#open.size);
    this.#rulesUnits = this.#open.values().reduce((units, { rules }) => units + rules.source.length, 0);
    this.#maxRulesUnits = Math.max(MAX_OPEN_RULES_UNITS, 2 * this.#rulesUnits);
  }
}
