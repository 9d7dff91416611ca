import type { BookRow, BookTurn, Place, RowRange } from '../../books/books.ts';

/**
 * A book within a change that shows what the change has written, where the very same place is asked for: several records
 * can be decided on in one change. Lists, and numbers that are increased, show what was there before. What was found is
 * remembered, for it is asked for again and again.
 */
export class OverlaidBook implements BookTurn {
  readonly #book: BookTurn;
  readonly #known = new Map<string, unknown>();

  constructor(book: BookTurn) {
    this.#book = book;
  }

  find(place: Place): unknown {
    const name = JSON.stringify(place);
    if (this.#known.has(name)) return this.#known.get(name);
    const value = this.#book.find(place);
    this.#known.set(name, value);
    return value;
  }

  list(place: Place, range: RowRange): readonly BookRow[] {
    return this.#book.list(place, range);
  }

  listKeys(place: Place, range: RowRange): readonly string[] {
    return this.#book.listKeys(place, range);
  }

  write(place: Place, value: unknown): void {
    this.#known.set(JSON.stringify(place), value ?? undefined);
    this.#book.write(place, value);
  }

  increase(place: Place, by: number): void {
    this.#book.increase(place, by);
  }
}
