import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { DecisionObserver } from '../../rules/decision.ts';
import { findRules, LOCKED_RULES } from '../../rules/publishing/versions.ts';
import type { KvRead, KvStore, NotPromise } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { DatabaseActivity } from '../monitoring/database-activity.ts';
import { DatabaseTriggers, type FunctionTriggers } from '../triggers/triggers.ts';
import { type DatabaseCatalog, isRecordDatabase } from './catalog.ts';
import { Database, type StepwiseReads } from './database.ts';
import type { StoredSettings } from './settings.ts';

export interface OpenDatabasesOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly catalog: DatabaseCatalog;
  readonly settings: StoredSettings;
  readonly triggers: FunctionTriggers;
  readonly stepwise: StepwiseReads;
  /** Returns the observer of a database's rule decisions. Without it, decisions are not observed. */
  readonly observeDecisions: ((database: string) => DecisionObserver) | undefined;
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

/** The open databases. Opens a database when it is needed, and closes idle ones when too many are open. */
export class OpenDatabases {
  readonly #options: OpenDatabasesOptions;
  readonly #newDatabaseRules: RuleSet;
  readonly #open = new Map<string, Database>();
  /** Number of open databases at which idle ones are closed next. */
  #maxOpen = MAX_OPEN;
  /** Upper bound of the total rules size of the open databases. */
  #rulesUnits = 0;
  #maxRulesUnits = MAX_OPEN_RULES_UNITS;

  constructor(options: OpenDatabasesOptions) {
    this.#options = options;
    this.#newDatabaseRules = parseRules(options.newDatabaseRules);
  }

  /**
   * Returns a database by its valid name, opening it if needed. The first write creates the stored database.
   * If `transaction` has published rules for a database that is not open yet, the database is opened with these rules.
   */
  open(name: string, transaction?: WriteTransaction): Database {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= this.#maxOpen || this.#rulesUnits > this.#maxRulesUnits)
      this.#closeIdle(transaction);
    const { catalog, clock, triggers, settings, observeDecisions } = this.#options;
    const rules = this.#readRules(name, transaction);
    this.#rulesUnits += rules.source.length;
    const database = new Database(name, rules, (current) => catalog.openTree(current, name), clock.elapsedMs);
    database.stepwise = this.#options.stepwise;
    database.triggers = new DatabaseTriggers(name, triggers, settings);
    database.decisions = observeDecisions?.(name) ?? null;
    this.#open.set(name, database);
    transaction?.onRollback(() => this.#open.delete(name));
    return database;
  }

  /**
   * Runs a request to a database in a transaction, and records its duration. Resolves with its result once
   * the result is durable.
   */
  request<T>(
    name: string,
    body: (transaction: WriteTransaction, database: Database) => NotPromise<T>,
  ): Promise<T> {
    const { scheduler, clock } = this.#options;
    const startedMs = clock.elapsedMs();
    return scheduler.request((transaction) => {
      const database = this.open(name, transaction);
      transaction.onCommit(() => database.activity.recordLatency(clock.elapsedMs() - startedMs));
      return body(transaction, database);
    });
  }

  /** Yields the name and the activity of each open database. */
  *activities(): Generator<readonly [name: string, activity: DatabaseActivity]> {
    for (const [name, { activity }] of this.#open) yield [name, activity];
  }

  /** Stores other rules of a database and makes them take effect. */
  replaceRules(transaction: WriteTransaction, name: string, rules: RuleSet): void {
    const database = this.open(name, transaction);
    this.#options.catalog.writeRules(transaction, name, rules);
    this.#rulesUnits += rules.source.length;
    database.replaceRules(transaction, rules);
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
