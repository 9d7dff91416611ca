import type { BookRow, BookTurn, Place, RowRange } from '../../books/books.ts';

/**
 * A book within a change that shows what the change has written, where the very same place is asked for: several records
 * can be decided on in one change. Lists show what was there before.
 */
export class OverlaidBook implements BookTurn {
  readonly #book: BookTurn;
  readonly #written = new Map<string, unknown>();

  constructor(book: BookTurn) {
    this.#book = book;
  }

  find(place: Place): unknown {
    const name = JSON.stringify(place);
    return this.#written.has(name) ? (this.#written.get(name) ?? undefined) : this.#book.find(place);
  }

  list(place: Place, range: RowRange): readonly BookRow[] {
    return this.#book.list(place, range);
  }

  listKeys(place: Place, range: RowRange): readonly string[] {
    return this.#book.listKeys(place, range);
  }

  write(place: Place, value: unknown): void {
    this.#written.set(JSON.stringify(place), value);
    this.#book.write(place, value);
  }
}
