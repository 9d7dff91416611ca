import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { TriggeredEvent } from './event-json.ts';
import type { Trigger } from './trigger.ts';

/** Takes events to functions. Never waits, and never throws. */
export interface EventReceiver {
  receive(events: readonly TriggeredEvent[]): void;
}

/** Most triggers of all databases together. */
const MAX_TRIGGERS = 1_000;

/**
 * The triggers of all databases, in memory: who registers them does it again after a start of either side. Whoever wants
 * to know of a database's triggers asks again when `version` has changed.
 */
export class FunctionTriggers {
  readonly receiver: EventReceiver;
  /** By the database they were registered for and their names. */
  readonly #triggers = new Map<string, { readonly database: string; readonly trigger: Trigger }>();
  #version = 0;

  constructor(receiver: EventReceiver) {
    this.receiver = receiver;
  }

  get version(): number {
    return this.#version;
  }

  /** Registers a trigger for a database, in place of one of the same name. Refuses with `request/overload` one too many. */
  add(database: string, trigger: Trigger): void {
    const name = `${trigger.instances === null ? database : ''}/${trigger.name}`;
    if (!this.#triggers.has(name) && this.#triggers.size >= MAX_TRIGGERS)
      throw new Refusal('request/overload', `There are ${MAX_TRIGGERS} triggers already.`);
    this.#triggers.set(name, { database, trigger });
    this.#version++;
  }

  /** Triggers of one database. */
  of(database: string): readonly Trigger[] {
    return [...this.#triggers.values()].flatMap((entry) => {
      const { instances } = entry.trigger;
      const isMeant = instances === null ? entry.database === database : instances.test(database);
      return isMeant ? [entry.trigger] : [];
    });
  }
}
