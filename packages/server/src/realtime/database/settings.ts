import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { isWriteSizeLimit, type WriteSizeLimit } from './write-input.ts';

/** The settings of a database that an administrator may change, except its rules. */
export interface DatabaseSettings {
  /** The size limit of a write that does not state its own limit. */
  readonly defaultWriteSizeLimit: WriteSizeLimit;
  /** Whether a write is rejected if it would trigger too many functions, or send too much data to one function. */
  readonly strictTriggerValidation: boolean;
}

export const DEFAULT_SETTINGS: DatabaseSettings = {
  defaultWriteSizeLimit: 'large',
  strictTriggerValidation: true,
};

/**
 * Maximum number of databases whose settings are cached. When the cache is full, it is cleared and settings are
 * read again when needed.
 */
const MAX_CACHED = 10_000;

/** The settings of all databases. They are stored in the table `meta`, as JSON under `settings/<name>`. */
export class StoredSettings {
  readonly #store: KvStore;
  readonly #cache = new Map<string, DatabaseSettings>();

  constructor(store: KvStore) {
    this.#store = store;
  }

  /** Returns the settings of a database, including changes that `transaction` has made. */
  read(name: string, transaction?: WriteTransaction): DatabaseSettings {
    const cache = this.#cache.get(name);
    if (cache !== undefined) return cache;
    const find = (tx: KvRead): string | undefined => tx.find('meta', settingsKey(name))?.toString();
    const text = transaction === undefined ? this.#store.read(find) : find(transaction.tx);
    return this.#addToCache(name, text === undefined ? DEFAULT_SETTINGS : decodeSettings(text), transaction);
  }

  write(transaction: WriteTransaction, name: string, settings: DatabaseSettings): void {
    transaction.tx.put('meta', settingsKey(name), Buffer.from(JSON.stringify(settings)));
    this.#addToCache(name, settings, transaction);
  }

  #addToCache(
    name: string,
    settings: DatabaseSettings,
    transaction: WriteTransaction | undefined,
  ): DatabaseSettings {
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(name, settings);
    // A transaction that fails may itself have written the settings that it read.
    transaction?.onRollback(() => this.#cache.delete(name));
    return settings;
  }
}

/** Decodes a stored record. Missing fields get the defaults of a new database. */
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
