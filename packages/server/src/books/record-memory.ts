import { RecentMap } from '../ops/recent-map.ts';
import type { Place } from './books.ts';

/** What a book shows at a place; `undefined` when there is nothing. */
export interface KnownRecord {
  readonly value: unknown;
}

/** Records with longer names and texts are not remembered, in characters. */
const MAX_NAME_LENGTH = 512;
const MAX_TEXT_LENGTH = 2_048;
/** At most 8 MB of text, and usually 2. */
const MAX_RECORDS = 4_096;

/**
 * Small records that were read lately, parsed, so that reading one again costs neither the store nor the parser. Only
 * of places with two segments, such as `accounts / uid`, where most records are.
 */
export class RecordMemory {
  readonly #records = new RecentMap<KnownRecord>(MAX_RECORDS, MAX_NAME_LENGTH);

  /** `undefined` when it is not known what is at the place. */
  find(book: string, place: Place): KnownRecord | undefined {
    const name = findName(book, place);
    return name === undefined ? undefined : this.#records.find(name);
  }

  /** What is at a place: a value, and the length of its text. */
  note(book: string, place: Place, value: unknown, textLength: number): void {
    const name = findName(book, place);
    if (name !== undefined && textLength <= MAX_TEXT_LENGTH) this.#records.write(name, { value });
  }

  /** Forgets what is at, above and below a place. */
  forget(book: string, place: Place): void {
    const name = findName(book, place.slice(0, 2));
    if (name === undefined) this.clear();
    else this.#records.remove(name);
  }

  clear(): void {
    this.#records.clear();
  }
}

function findName(book: string, place: Place): string | undefined {
  const [kind, id] = place;
  return id === undefined || place.length > 2 ? undefined : `${book}\0${kind}\0${id}`;
}
