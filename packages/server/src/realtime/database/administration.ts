import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { Principal } from '../../access/principal.ts';
import { requireAdmin, requireReadAll } from '../../access/rights.ts';
import { publisherOf, type RulesHistory } from '../../rules/publishing/history.ts';
import {
  addRuleset,
  findLabels,
  findRuleset,
  listRulesets,
  type Ruleset,
  type RulesetLabels,
  writeLabels,
} from '../../rules/publishing/rulesets.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Trigger } from '../triggers/trigger.ts';
import type { DatabaseCatalog } from './catalog.ts';
import type { DatabaseSettings, StoredSettings } from './settings.ts';

export interface DatabaseAdministrationOptions {
  readonly scheduler: TransactionScheduler;
  readonly directory: DatabaseCatalog;
  readonly settings: StoredSettings;
  readonly rulesHistory: RulesHistory;
  /** Registers a trigger for a database: see `FunctionTriggers.add`. */
  readonly addTrigger: (name: string, trigger: Trigger) => void;
  /** Returns a key that sorts after all earlier keys. */
  readonly createKey: () => string;
}

/**
 * Lists, creates and configures databases. Only administrators may make changes: other principals get
 * `auth/admin-only`, and read-only administrators get `auth/role`.
 */
export class DatabaseAdmin {
  readonly #options: DatabaseAdministrationOptions;

  constructor(options: DatabaseAdministrationOptions) {
    this.#options = options;
  }

  /** Returns the names of existing databases in order: those after `after`, at most `limit`. */
  names(identity: Principal, after: string, limit: number): Promise<readonly string[]> {
    return this.#read(identity, (transaction) => this.#options.directory.names(transaction.tx, after, limit));
  }

  exists(identity: Principal, name: string): Promise<boolean> {
    return this.#read(identity, (transaction) => this.#options.directory.has(transaction, name));
  }

  /** Creates an empty database. Returns false if the name is already in use. */
  create(identity: Principal, name: string): Promise<boolean> {
    return this.#change(identity, (transaction) => this.#options.directory.create(transaction, name));
  }

  settings(identity: Principal, name: string): Promise<DatabaseSettings> {
    return this.#read(identity, (transaction) => this.#options.settings.read(name, transaction));
  }

  changeSettings(identity: Principal, name: string, change: Partial<DatabaseSettings>): Promise<void> {
    const { settings } = this.#options;
    return this.#change(identity, (transaction) =>
      settings.write(transaction, name, { ...settings.read(name, transaction), ...change }),
    );
  }

  /** Throws `rules/invalid` if the rules cannot be published. */
  async checkRules(identity: Principal, source: string): Promise<void> {
    requireReadAll(identity);
    parseRules(source);
  }

  rulesets(identity: Principal, name: string): Promise<readonly Ruleset[]> {
    return this.#read(identity, (transaction) => listRulesets(transaction.tx, name));
  }

  findRuleset(identity: Principal, name: string, id: string): Promise<Ruleset | undefined> {
    return this.#read(identity, (transaction) => findRuleset(transaction.tx, name, id));
  }

  /** Stores rules that can be published later, and returns their id. */
  async addRuleset(identity: Principal, name: string, source: string): Promise<string> {
    requireAdmin(identity);
    parseRules(source);
    // An id that begins with a hyphen would look like an option on a command line.
    const id = `r${this.#options.createKey().slice(1)}`;
    await this.#change(identity, (transaction) =>
      addRuleset(transaction.tx, name, { id, createdAt: new Date(transaction.nowMs).toISOString(), source }),
    );
    return id;
  }

  rulesetLabels(identity: Principal, name: string): Promise<RulesetLabels | undefined> {
    return this.#read(identity, (transaction) => findLabels(transaction.tx, name));
  }

  /**
   * Sets the labels of rulesets and publishes the stable ruleset. Returns the id of its version, or `undefined` if no
   * ruleset is stable.
   */
  async changeRulesetLabels(
    identity: Principal,
    name: string,
    labels: RulesetLabels,
  ): Promise<number | undefined> {
    const { stable } = labels;
    // Rulesets never change, so the next transaction publishes exactly the ruleset that is read here.
    const ruleset = stable === undefined ? undefined : await this.findRuleset(identity, name, stable);
    // This version of the program may reject rules that an earlier version accepted. Parse them first, so that
    // an error leaves no labels behind.
    const rules = ruleset === undefined ? undefined : parseRules(ruleset.source);
    return this.#change(identity, (transaction) => {
      writeLabels(transaction.tx, name, labels);
      if (rules === undefined) return undefined;
      return this.#options.rulesHistory.publishInTransaction(transaction, name, rules, {
        author: publisherOf(identity),
        message: `Ruleset ${stable} is stable.`,
      });
    });
  }

  /** Registers a trigger for a database until the server stops. Throws `request/overload` if there are too many. */
  addTrigger(identity: Principal, name: string, trigger: Trigger): void {
    requireAdmin(identity);
    this.#options.addTrigger(name, trigger);
  }

  async #read<T>(identity: Principal, read: (transaction: WriteTransaction) => NotPromise<T>): Promise<T> {
    requireReadAll(identity);
    return this.#options.scheduler.request(read);
  }

  async #change<T>(
    identity: Principal,
    change: (transaction: WriteTransaction) => NotPromise<T>,
  ): Promise<T> {
    requireAdmin(identity);
    return this.#options.scheduler.request((transaction) => {
      transaction.assertWritable();
      return change(transaction);
    });
  }
}
