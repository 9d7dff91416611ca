import type { Turn } from '../../commit/turn.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Commit, ValueWrite } from '../../log/commit.ts';
import type { StoredSettings } from '../database-settings.ts';
import type { DatabaseTree } from '../tree-view.ts';
import type { FunctionTriggers } from './function-triggers.ts';
import type { Trigger } from './trigger.ts';
import { TriggeredWrite } from './triggered-write.ts';

/** Tells functions of the writes to one database. Costs a comparison while there are no triggers. */
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

  /** What a write that was not applied yet will trigger; `null` for nothing. Refuses with `write/trigger-too-big`. */
  foresee(turn: Turn, tree: DatabaseTree, writes: readonly ValueWrite[]): TriggeredWrite | null {
    if (this.#version !== this.#all.version) {
      this.#version = this.#all.version;
      this.#own = this.#all.of(this.#name);
    }
    if (this.#own.length === 0) return null;
    const { strictTriggerValidation } = this.#settings.read(this.#name, turn);
    return new TriggeredWrite(turn, tree, this.#own, writes, strictTriggerValidation);
  }

  /** Tells the functions, once the turn is durable, of a write that was applied. */
  tell(turn: Turn, triggered: TriggeredWrite, commit: Commit, identity: Identity): void {
    const events = triggered.events(commit, identity);
    turn.afterwards(() => this.#all.receiver.receive(events));
  }
}
