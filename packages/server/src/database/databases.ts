import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import type { DatabaseActivity } from '../activity/database-activity.ts';
import type { Traffic } from '../activity/traffic.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { mustSeeAll } from '../identity/must-see-all.ts';
import type { SnapshotKvStore } from '../kv/snapshot.ts';
import type { KvRead } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { isBookDatabase } from './book-name.ts';
import { Database } from './database.ts';
import { DatabaseAdministration } from './database-administration.ts';
import { DatabaseDirectory, findRules } from './database-directory.ts';
import type { DatabaseService, WriteRequest, WriteResult } from './database-service.ts';
import { StoredSettings } from './database-settings.ts';
import { LOCKED_RULES } from './default-rules.ts';
import { Profiling } from './profiling.ts';
import type { PublicationRequest } from './publication-request.ts';
import { decideRead } from './read.ts';
import { ReadLane } from './read-lane.ts';
import type { ReadAnswer, ReadRequest } from './read-request.ts';
import { RulesHistory } from './rules-history.ts';
import type { StandaloneListen } from './standalone-listen.ts';
import { DatabaseTriggers } from './triggers/database-triggers.ts';
import { type EventReceiver, FunctionTriggers } from './triggers/function-triggers.ts';
import { mayBeUnseen } from './unseen-write.ts';
import type { VerdictObserver } from './verdict-observer.ts';
import { decideWrite } from './write.ts';
import type { WriteSizeLimit } from './write-size-limit.ts';

export interface DatabasesOptions {
  readonly store: SnapshotKvStore;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Takes to functions what they are to be told; without it they are told nothing. */
  readonly eventReceiver?: EventReceiver;
  /** Who is told what rules say of the operations of a database; without it nobody is. */
  readonly observeVerdicts?: (database: string) => VerdictObserver;
  /** Source of the rules that a database has until some are uploaded. */
  readonly newDatabaseRules: string;
}

/** Open objects at which the idle ones are first looked for; they are forgotten, and made again when asked for. */
const MAX_OPEN = 1_000;

/** Rules of open objects at which the same is done, in UTF-16 units of their sources; in memory they take a hundred times as much. */
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
  /** Open objects at which the idle ones are looked for again. */
  #maxOpen = MAX_OPEN;
  /** Of the open objects, at most. */
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
   * A database by its valid name; it comes to be when something is first written to it. Within a turn, what the turn has
   * written counts.
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

  /** What is done to each database that is open. */
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

  /** Rules that were valid once may not be for this program: then nobody may do anything, and the log says why. */
  #readRules(name: string, turn: Turn | undefined): RuleSet {
    const find = (tx: KvRead): string | undefined => findRules(tx, name);
    const source = turn === undefined ? this.#options.store.read(find) : find(turn.tx);
    if (source === undefined) return isBookDatabase(name) ? LOCKED : this.#newDatabaseRules;
    try {
      return parseRules(source);
    } catch (error) {
      this.#options.logger.error(
        { err: error, database: name },
        'the stored rules cannot be read: the database is locked',
      );
      return { source, root: LOCKED.root };
    }
  }

  #forgetIdle(turn: Turn | undefined): void {
    for (const [name, database] of this.#open) {
      if (!database.isIdle) continue;
      this.#open.delete(name);
      // Perhaps it is idle because of what the turn did.
      turn?.onUndo(() => this.#open.set(name, database));
    }
    // So that looking for them costs little for each database opened, though hardly any is idle.
    this.#maxOpen = Math.max(MAX_OPEN, 2 * this.#open.size);
    this.#rulesUnits = this.#open.values().reduce((units, { rules }) => units + rules.source.length, 0);
    this.#maxRulesUnits = Math.max(MAX_OPEN_RULES_UNITS, 2 * this.#rulesUnits);
  }
}
