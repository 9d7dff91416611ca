import { RecentMap } from '../platform/recent-map.ts';
import type { RecordPath } from './store.ts';

/** A cached record. `value` is `undefined` if the record does not exist. */
export interface KnownRecord {
  readonly value: unknown;
}

/** A cached record, and the length of its JSON text in characters. */
interface CachedRecord extends KnownRecord {
  readonly textLength: number;
}

/** Limits in characters: a record with a longer name or a longer text is not cached. A project with a logo fits. */
const MAX_NAME_LENGTH = 512;
const MAX_TEXT_LENGTH = 131_072;
/** Maximum number of cached records. */
const MAX_RECORDS = 4_096;
/** Maximum length of the text of all cached records, in characters. Usually they take 2 MB. */
const MAX_TOTAL_LENGTH = 8_388_608;
/** The part of the total that a record takes at least, so that there are at most `MAX_RECORDS`. */
const MIN_SHARE = MAX_TOTAL_LENGTH / MAX_RECORDS;

/**
 * A cache of parsed records that were read recently. A cache hit needs neither the store nor the parser.
 * Only paths with two segments are cached, such as `accounts / uid`, because most records have such a path.
 */
export class RecordCache {
  readonly #records = new RecentMap<CachedRecord>(MAX_TOTAL_LENGTH, MAX_NAME_LENGTH, ({ textLength }) =>
    Math.max(textLength, MIN_SHARE),
  );

  /** Returns the cached record at a path, or `undefined` if the cache has no entry for the path. */
  find(records: string, location: RecordPath): KnownRecord | undefined {
    const name = findName(records, location);
    return name === undefined ? undefined : this.#records.find(name);
  }

  /** Caches the value at a path. `textLength` is the length of its JSON text. */
  cache(records: string, location: RecordPath, value: unknown, textLength: number): void {
    const name = findName(records, location);
    if (name !== undefined && textLength <= MAX_TEXT_LENGTH) this.#records.write(name, { value, textLength });
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
