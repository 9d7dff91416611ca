import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import type { Identity } from '../../access/principal.ts';
import { mustSeeAll } from '../../access/rights.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { VerdictObserver } from '../../rules/decision.ts';
import { type PublicationRequest, RulesHistory } from '../../rules/publishing/history.ts';
import { findRules, LOCKED_RULES } from '../../rules/publishing/versions.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { Committer } from '../../storage/transaction/scheduler.ts';
import type { Turn } from '../../storage/transaction/transaction.ts';
import type { DatabaseActivity, Traffic } from '../monitoring/database-activity.ts';
import { Profiling } from '../monitoring/profiling.ts';
import { DatabaseTriggers, type EventReceiver, FunctionTriggers } from '../triggers/triggers.ts';
import { DatabaseAdministration } from './administration.ts';
import type { DatabaseService } from './api.ts';
import { mayBeUnseen } from './authorize.ts';
import { DatabaseDirectory, isBookDatabase } from './catalog.ts';
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
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Delivers events to functions. Without it, triggers deliver nothing. */
  readonly eventReceiver?: EventReceiver;
  /** Returns the observer of a database's rule decisions. Without it, decisions are not observed. */
  readonly observeVerdicts?: (database: string) => VerdictObserver;
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
  readonly administration: DatabaseAdministration;
  readonly profiling: Profiling;
  readonly rulesHistory: RulesHistory;
  readonly #options: DatabasesOptions;
  readonly #directory = new DatabaseDirectory();
  readonly #settings: StoredSettings;
  readonly #triggers: FunctionTriggers;
  readonly #lane = new ReadLane();
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
    const { committer, clock } = options;
    this.profiling = new Profiling({ committer, clock, openDatabase: (name, turn) => this.open(name, turn) });
    this.rulesHistory = new RulesHistory({
      committer,
      putInForce: (turn, name, rules) => this.#replaceRules(turn, name, rules),
    });
    this.administration = new DatabaseAdministration({
      committer,
      directory: this.#directory,
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
  open(name: string, turn?: Turn): Database {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= this.#maxOpen || this.#rulesUnits > this.#maxRulesUnits) this.#forgetIdle(turn);
    const rules = this.#readRules(name, turn);
    this.#rulesUnits += rules.source.length;
    const database = new Database(
      name,
      rules,
      (current) => this.#directory.openTree(current, name),
      this.#options.clock.elapsedMs,
    );
    database.triggers = new DatabaseTriggers(name, this.#triggers, this.#settings);
    database.verdicts = this.#options.observeVerdicts?.(name) ?? null;
    this.#open.set(name, database);
    turn?.onUndo(() => this.#open.delete(name));
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
    return this.#decide(name, (turn, database) =>
      decideRead(turn, database, request, { store, clock, logger, lane: this.#lane }),
    );
  }

  write(name: string, request: WriteRequest): Promise<WriteResult> {
    return this.#decide(name, (turn, database) => {
      const commit = decideWrite(turn, database, request);
      const { hashOf } = request;
      return { commit, hash: hashOf === undefined ? null : database.tree(turn).hash(hashOf) };
    });
  }

  listen(name: string, listen: StandaloneListen): Promise<void> {
    return this.#decide(name, (turn, database) => listen.start(turn, database));
  }

  writeSizeLimit(name: string): WriteSizeLimit {
    return this.#settings.read(name).defaultWriteSizeLimit;
  }

  mayBeUnseen(name: string, path: Path, identity: Identity): boolean {
    return mayBeUnseen(this.open(name).rules, path, identity);
  }

  createPushKey(): string {
    const { clock, randomBytes } = this.#options;
    const { key, state } = pushKey(clock.nowMs(), randomBytes(12), this.#lastPushKey);
    this.#lastPushKey = state;
    return key;
  }

  readRules(name: string, identity: Identity): Promise<string> {
    return this.#decide(name, (_turn, database) => {
      mustSeeAll(identity);
      return database.rules.source;
    });
  }

  async writeRules(
    name: string,
    identity: Identity,
    source: string,
    request: PublicationRequest = {},
  ): Promise<void> {
    await this.rulesHistory.publish(identity, name, source, request);
  }

  #replaceRules(turn: Turn, name: string, rules: RuleSet): void {
    const database = this.open(name, turn);
    this.#directory.writeRules(turn, name, rules);
    this.#rulesUnits += rules.source.length;
    database.replaceRules(turn, rules);
  }

  #decide<T>(name: string, decide: (turn: Turn, database: Database) => T): Promise<T> {
    const { committer, clock } = this.#options;
    const startedMs = clock.elapsedMs();
    return committer.request((turn) => {
      const database = this.open(name, turn);
      turn.afterwards(() => database.activity.noteLatency(clock.elapsedMs() - startedMs));
      return decide(turn, database);
    });
  }

  /**
   * Reads and parses the stored rules. This version of the program may reject rules that an earlier version
   * accepted. Then the database is locked and the log says why.
   */
  #readRules(name: string, turn: Turn | undefined): RuleSet {
    const find = (tx: KvRead): string | undefined => findRules(tx, name);
    const source = turn === undefined ? this.#options.store.read(find) : find(turn.tx);
    if (source === undefined) return isBookDatabase(name) ? LOCKED : this.#newDatabaseRules;
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

  #forgetIdle(turn: Turn | undefined): void {
    for (const [name, database] of this.#open) {
      if (!database.isIdle) continue;
      this.#open.delete(name);
      // The database may be idle because of what this transaction did.
      turn?.onUndo(() => this.#open.set(name, database));
    }
    // Doubling the limits keeps the search cheap for each opened database, even if hardly any database is idle.
    this.#maxOpen = Math.max(MAX_OPEN, 2 * this.#open.size);
    this.#rulesUnits = this.#open.values().reduce((units, { rules }) => units + rules.source.length, 0);
    this.#maxRulesUnits = Math.max(MAX_OPEN_RULES_UNITS, 2 * this.#rulesUnits);
  }
}
