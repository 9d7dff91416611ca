import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { Identity } from '../../access/principal.ts';
import { mustBeAdmin, mustSeeAll } from '../../access/rights.ts';
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
import type { Committer } from '../../storage/transaction/scheduler.ts';
import type { Turn } from '../../storage/transaction/transaction.ts';
import type { Trigger } from '../triggers/trigger.ts';
import type { DatabaseDirectory } from './catalog.ts';
import type { DatabaseSettings, StoredSettings } from './settings.ts';

export interface DatabaseAdministrationOptions {
  readonly committer: Committer;
  readonly directory: DatabaseDirectory;
  readonly settings: StoredSettings;
  readonly rulesHistory: RulesHistory;
  /** Calls a function for every write to a database from now on. */
  readonly addTrigger: (name: string, trigger: Trigger) => void;
  /** Returns a key that sorts after all earlier keys. */
  readonly createKey: () => string;
}

/**
 * Lists, creates and configures databases. Only administrators may make changes: other principals get
 * `auth/admin-only`, and read-only administrators get `auth/role`.
 */
export class DatabaseAdministration {
  readonly #options: DatabaseAdministrationOptions;

  constructor(options: DatabaseAdministrationOptions) {
    this.#options = options;
  }

  /** Returns the names of existing databases in order: those after `after`, at most `limit`. */
  names(identity: Identity, after: string, limit: number): Promise<readonly string[]> {
    return this.#look(identity, (turn) => this.#options.directory.names(turn.tx, after, limit));
  }

  exists(identity: Identity, name: string): Promise<boolean> {
    return this.#look(identity, (turn) => this.#options.directory.has(turn, name));
  }

  /** Creates an empty database. Returns false if the name is already in use. */
  create(identity: Identity, name: string): Promise<boolean> {
    return this.#change(identity, (turn) => this.#options.directory.create(turn, name));
  }

  settings(identity: Identity, name: string): Promise<DatabaseSettings> {
    return this.#look(identity, (turn) => this.#options.settings.read(name, turn));
  }

  changeSettings(identity: Identity, name: string, change: Partial<DatabaseSettings>): Promise<void> {
    const { settings } = this.#options;
    return this.#change(identity, (turn) =>
      settings.write(turn, name, { ...settings.read(name, turn), ...change }),
    );
  }

  /** Throws `rules/invalid` if the rules cannot be published. */
  async checkRules(identity: Identity, source: string): Promise<void> {
    mustSeeAll(identity);
    parseRules(source);
  }

  rulesets(identity: Identity, name: string): Promise<readonly Ruleset[]> {
    return this.#look(identity, (turn) => listRulesets(turn.tx, name));
  }

  findRuleset(identity: Identity, name: string, id: string): Promise<Ruleset | undefined> {
    return this.#look(identity, (turn) => findRuleset(turn.tx, name, id));
  }

  /** Stores rules that can be published later, and returns their id. */
  async addRuleset(identity: Identity, name: string, source: string): Promise<string> {
    mustBeAdmin(identity);
    parseRules(source);
    // A command line would take an id that begins with a hyphen for an option.
    const id = `r${this.#options.createKey().slice(1)}`;
    await this.#change(identity, (turn) =>
      addRuleset(turn.tx, name, { id, createdAt: new Date(turn.nowMs).toISOString(), source }),
    );
    return id;
  }

  rulesetLabels(identity: Identity, name: string): Promise<RulesetLabels | undefined> {
    return this.#look(identity, (turn) => findLabels(turn.tx, name));
  }

  /** Sets the labels of rulesets and publishes the stable ruleset. */
  async changeRulesetLabels(identity: Identity, name: string, labels: RulesetLabels): Promise<void> {
    const { stable } = labels;
    // Rulesets never change, so the next transaction publishes exactly what is read here.
    const ruleset = stable === undefined ? undefined : await this.findRuleset(identity, name, stable);
    // This version of the program may reject rules that an earlier version accepted. Parse them first, so that
    // an error leaves no labels behind.
    const rules = ruleset === undefined ? undefined : parseRules(ruleset.source);
    return this.#change(identity, (turn) => {
      writeLabels(turn.tx, name, labels);
      if (rules === undefined) return;
      this.#options.rulesHistory.publishInTurn(turn, name, rules, {
        author: publisherOf(identity),
        message: `Ruleset ${stable} is stable.`,
      });
    });
  }

  /** Calls a function for every write to a database until the server stops. Throws `request/overload`. */
  addTrigger(identity: Identity, name: string, trigger: Trigger): void {
    mustBeAdmin(identity);
    this.#options.addTrigger(name, trigger);
  }

  async #look<T>(identity: Identity, look: (turn: Turn) => T): Promise<T> {
    mustSeeAll(identity);
    return this.#options.committer.request(look);
  }

  async #change<T>(identity: Identity, change: (turn: Turn) => T): Promise<T> {
    mustBeAdmin(identity);
    return this.#options.committer.request((turn) => {
      turn.mustBeWritable();
      return change(turn);
    });
  }
}
