import { RecentMap } from '../platform/recent-map.ts';
import type { RecordPath } from './store.ts';

/** A cached record. `value` is `undefined` if the record does not exist. */
export interface KnownRecord {
  readonly value: unknown;
}

/** Limits in characters: a record with a longer name or a longer text is not cached. */
const MAX_NAME_LENGTH = 512;
const MAX_TEXT_LENGTH = 2_048;
/** Maximum number of cached records. They take at most 8 MB of text, usually 2 MB. */
const MAX_RECORDS = 4_096;

/**
 * A cache of small, parsed records that were read recently. A cache hit needs neither the store nor the parser.
 * Only paths with two segments are cached, such as `accounts / uid`, because most records have such a path.
 */
export class RecordCache {
  readonly #records = new RecentMap<KnownRecord>(MAX_RECORDS, MAX_NAME_LENGTH);

  /** Returns the cached record at a path, or `undefined` if the cache has no entry for the path. */
  find(records: string, location: RecordPath): KnownRecord | undefined {
    const name = findName(records, location);
    return name === undefined ? undefined : this.#records.find(name);
  }

  /** Caches the value at a path. `textLength` is the length of its JSON text. */
  cache(records: string, location: RecordPath, value: unknown, textLength: number): void {
    const name = findName(records, location);
    if (name !== undefined && textLength <= MAX_TEXT_LENGTH) this.#records.write(name, { value });
  }

  /** Removes the cache entries at, above and below a path; all entries if the path has fewer than two segments. */
  forget(records: string, location: RecordPath): void {
    const name = findName(records, location.slice(0, 2));
    if (name === undefined) this.clear();
    else this.#records.remove(name);
  }

  clear(): void {
    this.#records.clear();
  }
}

function findName(records: string, location: RecordPath): string | undefined {
  const [kind, id] = location;
  return id === undefined || location.length > 2 ? undefined : `${records}\0${kind}\0${id}`;
}
