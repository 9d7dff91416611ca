import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { mustBeAdmin } from '../identity/must-be-admin.ts';
import { mustSeeAll } from '../identity/must-see-all.ts';
import type { DatabaseDirectory } from './database-directory.ts';
import type { DatabaseSettings, StoredSettings } from './database-settings.ts';
import { publisherOf } from './publisher-of.ts';
import type { RulesHistory } from './rules-history.ts';
import {
  addRuleset,
  findLabels,
  findRuleset,
  listRulesets,
  type Ruleset,
  type RulesetLabels,
  writeLabels,
} from './rulesets.ts';
import type { Trigger } from './triggers/trigger.ts';

export interface DatabaseAdministrationOptions {
  readonly committer: Committer;
  readonly directory: DatabaseDirectory;
  readonly settings: StoredSettings;
  readonly rulesHistory: RulesHistory;
  /** Has a function told of the writes to a database from now on. */
  readonly addTrigger: (name: string, trigger: Trigger) => void;
  /** A key that sorts after all earlier ones. */
  readonly createKey: () => string;
}

/**
 * Which databases there are, and how each is set up. Changes are for administrators: others are refused with
 * `auth/admin-only`, and with `auth/role` who may look at it all.
 */
export class DatabaseAdministration {
  readonly #options: DatabaseAdministrationOptions;

  constructor(options: DatabaseAdministrationOptions) {
    this.#options = options;
  }

  /** Names of databases that exist, in order: those after a name, at most `limit`. */
  names(identity: Identity, after: string, limit: number): Promise<readonly string[]> {
    return this.#look(identity, (turn) => this.#options.directory.names(turn.tx, after, limit));
  }

  exists(identity: Identity, name: string): Promise<boolean> {
    return this.#look(identity, (turn) => this.#options.directory.has(turn, name));
  }

  /** Makes a database that is empty. Was there none of this name? */
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

  /** Refuses with `rules/invalid` what could not be put in force. */
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

  /** Keeps rules that can be put in force later, and returns their id. */
  async addRuleset(identity: Identity, name: string, source: string): Promise<string> {
    mustBeAdmin(identity);
    parseRules(source);
    // Command lines would take a text that begins with a hyphen for an option.
    const id = `r${this.#options.createKey().slice(1)}`;
    await this.#change(identity, (turn) =>
      addRuleset(turn.tx, name, { id, createdAt: new Date(turn.nowMs).toISOString(), source }),
    );
    return id;
  }

  rulesetLabels(identity: Identity, name: string): Promise<RulesetLabels | undefined> {
    return this.#look(identity, (turn) => findLabels(turn.tx, name));
  }

  /** Labels rulesets and publishes the stable one. */
  async changeRulesetLabels(identity: Identity, name: string, labels: RulesetLabels): Promise<void> {
    const { stable } = labels;
    // Rulesets never change, so what is read here is what the next turn publishes.
    const ruleset = stable === undefined ? undefined : await this.findRuleset(identity, name, stable);
    // What was valid once may not be for this program, and a refusal must leave no label behind.
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

  /** Has a function told of the writes to a database, for as long as the server runs. Refuses with `request/overload`. */
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
