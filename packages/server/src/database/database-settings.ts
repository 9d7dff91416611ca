import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Turn } from '../commit/turn.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import { isWriteSizeLimit, type WriteSizeLimit } from './write-size-limit.ts';

/** What an administrator may set for a database, beside its rules. */
export interface DatabaseSettings {
  /** How much a write may bring along that does not say so itself. */
  readonly defaultWriteSizeLimit: WriteSizeLimit;
  /** Are writes refused that would trigger too many functions, or one with too much? */
  readonly strictTriggerValidation: boolean;
}

export const DEFAULT_SETTINGS: DatabaseSettings = {
  defaultWriteSizeLimit: 'large',
  strictTriggerValidation: true,
};

/** Most databases whose settings are remembered; beyond, all are forgotten and read again when needed. */
const MAX_REMEMBERED = 10_000;

/** The settings of all databases: in the table `meta`, JSON under `settings/<name>`. */
export class StoredSettings {
  readonly #store: KvStore;
  readonly #known = new Map<string, DatabaseSettings>();

  constructor(store: KvStore) {
    this.#store = store;
  }

  /** Within a turn, what the turn has written counts. */
  read(name: string, turn?: Turn): DatabaseSettings {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const find = (tx: KvRead): string | undefined => tx.find('meta', settingsKey(name))?.toString();
    const text = turn === undefined ? this.#store.read(find) : find(turn.tx);
    return this.#remember(name, text === undefined ? DEFAULT_SETTINGS : decodeSettings(text), turn);
  }

  write(turn: Turn, name: string, settings: DatabaseSettings): void {
    turn.tx.put('meta', settingsKey(name), Buffer.from(JSON.stringify(settings)));
    this.#remember(name, settings, turn);
  }

  #remember(name: string, settings: DatabaseSettings, turn: Turn | undefined): DatabaseSettings {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(name, settings);
    // What was read in a turn that fails may have been written by it.
    turn?.onUndo(() => this.#known.delete(name));
    return settings;
  }
}

/** Reads a stored record; what it does not have is as in a new database. */
function decodeSettings(text: string): DatabaseSettings {
  const record = parseJsonText(text);
  if (typeof record !== 'object' || record === null) return DEFAULT_SETTINGS;
  const limit = 'defaultWriteSizeLimit' in record ? record.defaultWriteSizeLimit : undefined;
  const isStrict = 'strictTriggerValidation' in record ? record.strictTriggerValidation : undefined;
  return {
    defaultWriteSizeLimit: isWriteSizeLimit(limit) ? limit : DEFAULT_SETTINGS.defaultWriteSizeLimit,
    strictTriggerValidation:
      typeof isStrict === 'boolean' ? isStrict : DEFAULT_SETTINGS.strictTriggerValidation,
  };
}

function settingsKey(name: string): Buffer {
  return Buffer.from(`settings/${name}`, 'latin1');
}
