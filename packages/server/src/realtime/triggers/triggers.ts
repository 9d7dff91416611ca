import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from '../../access/principal.ts';
import type { Commit, ValueWrite } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { StoredSettings } from '../database/settings.ts';
import type { DatabaseTree } from '../database/tree-view.ts';
import type { TriggeredEvent } from './event.ts';
import type { Trigger } from './trigger.ts';
import { TriggeredWrite } from './triggered-write.ts';

/** Delivers events to functions. Never waits and never throws. */
export interface EventReceiver {
  receive(events: readonly TriggeredEvent[]): void;
}

/** Maximum number of triggers of all databases together. */
const MAX_TRIGGERS = 1_000;

/**
 * The triggers of all databases, in memory. The functions emulator registers them, and registers them again after
 * the emulator or this server has restarted. `version` changes with each registration.
 */
export class FunctionTriggers {
  readonly receiver: EventReceiver;
  /** By database and name; by the name alone for triggers with a pattern of databases. */
  readonly #triggers = new Map<string, { readonly database: string; readonly trigger: Trigger }>();
  #version = 0;

  constructor(receiver: EventReceiver) {
    this.receiver = receiver;
  }

  get version(): number {
    return this.#version;
  }

  /**
   * Registers a trigger for a database. Replaces a trigger of the same name. Throws `request/overload` if there
   * are too many.
   */
  add(database: string, trigger: Trigger): void {
    const name = `${trigger.instances === null ? database : ''}/${trigger.name}`;
    if (!this.#triggers.has(name) && this.#triggers.size >= MAX_TRIGGERS)
      throw new RequestError('request/overload', `The maximum of ${MAX_TRIGGERS} triggers is reached.`);
    this.#triggers.set(name, { database, trigger });
    this.#version++;
  }

  /** Returns the triggers of one database. */
  of(database: string): readonly Trigger[] {
    return [...this.#triggers.values()].flatMap((entry) => {
      const { instances } = entry.trigger;
      const matches = instances === null ? entry.database === database : instances.test(database);
      return matches ? [entry.trigger] : [];
    });
  }
}

/** Sends the writes to one database to functions. Costs one comparison while there are no triggers. */
export class DatabaseTriggers {
  readonly #name: string;
  readonly #all: FunctionTriggers;
  readonly #settings: StoredSettings;
  #own: readonly Trigger[] = [];
  #version = 0;

  constructor(name: string, all: FunctionTriggers, settings: StoredSettings) {
    this.#name = name;
    this.#all = all;
    this.#settings = settings;
  }

  /** Whether no write to the database triggers anything. */
  get isEmpty(): boolean {
    if (this.#version !== this.#all.version) {
      this.#version = this.#all.version;
      this.#own = this.#all.of(this.#name);
    }
    return this.#own.length === 0;
  }

  /**
   * Returns the events that a write will trigger, or `null` for none. Called before the write is applied. Throws
   * `write/trigger-too-big`.
   */
  prepare(
    transaction: WriteTransaction,
    tree: DatabaseTree,
    writes: readonly ValueWrite[],
  ): TriggeredWrite | null {
    if (this.isEmpty) return null;
    const { strictTriggerValidation } = this.#settings.read(this.#name, transaction);
    return new TriggeredWrite(transaction, tree, this.#own, writes, strictTriggerValidation);
  }

  /** Sends an applied write to the functions once the transaction is durable. */
  notify(
    transaction: WriteTransaction,
    triggered: TriggeredWrite,
    commit: Commit,
    identity: Principal,
  ): void {
    const events = triggered.events(commit, identity);
    transaction.onCommit(() => this.#all.receiver.receive(events));
  }
}
