import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { DecisionObserver } from '../../rules/decision.ts';
import { RulesHistory } from '../../rules/publishing/history.ts';
import type { SnapshotKvStore } from '../../storage/kv/snapshot.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { DatabaseActivity } from '../monitoring/database-activity.ts';
import { Profiling } from '../monitoring/profiling.ts';
import { type EventReceiver, FunctionTriggers } from '../triggers/triggers.ts';
import { DatabaseAdmin } from './administration.ts';
import { DatabaseCatalog } from './catalog.ts';
import type { Database } from './database.ts';
import { OpenDatabases } from './open-databases.ts';
import { QueryScans } from './query-scans.ts';
import { DatabaseRequests } from './requests.ts';
import { StoredSettings } from './settings.ts';
import { ReadLane } from './snapshot-read.ts';

export interface DatabasesOptions {
  readonly store: SnapshotKvStore;
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Delivers events to functions. Without it, triggers deliver nothing. */
  readonly eventReceiver?: EventReceiver;
  /** Returns the observer of a database's rule decisions. Without it, decisions are not observed. */
  readonly observeDecisions?: ((database: string) => DecisionObserver) | undefined;
  /** The places for long responses of all networks together. */
  readonly longReads: ResourcePool;
  /** Source of the rules that a database has until its own rules are published. */
  readonly newDatabaseRules: string;
}

/** All databases of the data directory, with their settings, rules and profilers. */
export class Databases extends DatabaseRequests {
  readonly administration: DatabaseAdmin;
  readonly profiling: Profiling;
  readonly #databases: OpenDatabases;

  constructor(options: DatabasesOptions) {
    const { store, scheduler, clock, logger, randomBytes, observeDecisions, newDatabaseRules } = options;
    const catalog = new DatabaseCatalog();
    const settings = new StoredSettings(store);
    const triggers = new FunctionTriggers(options.eventReceiver ?? { receive: () => undefined });
    const databases = new OpenDatabases({
      store,
      scheduler,
      clock,
      logger,
      catalog,
      settings,
      triggers,
      stepwise: new QueryScans({ store, scheduler, clock, logger }),
      observeDecisions,
      newDatabaseRules,
    });
    const rulesHistory = new RulesHistory({
      scheduler,
      replaceRules: (transaction, name, rules) => databases.replaceRules(transaction, name, rules),
      untilReadsChecked: (name) => databases.open(name).readsChecked,
    });
    const lane = new ReadLane();
    super({
      store,
      clock,
      logger,
      lane,
      longReads: options.longReads,
      databases,
      settings,
      rulesHistory,
      randomBytes,
    });
    this.#databases = databases;
    this.profiling = new Profiling({
      scheduler,
      clock,
      openDatabase: (name, transaction) => databases.open(name, transaction),
    });
    this.administration = new DatabaseAdmin({
      scheduler,
      directory: catalog,
      settings,
      rulesHistory,
      addTrigger: (name, trigger) => triggers.add(name, trigger),
      createKey: () => this.createPushKey(),
    });
  }

  /** Returns a database by its valid name, opening it if needed: see `OpenDatabases.open`. */
  open(name: string, transaction?: WriteTransaction): Database {
    return this.#databases.open(name, transaction);
  }

  /** Yields the name and the activity of each open database. */
  activities(): Generator<readonly [name: string, activity: DatabaseActivity]> {
    return this.#databases.activities();
  }
}
