import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { BookRow, BookView, Place, RowRange } from './books.ts';
import type { RecordMemory } from './record-memory.ts';
import type { StoredView } from './stored-view.ts';

/** A book as it is now; of what is remembered, the store is not asked. */
export class DurableBook implements BookView {
  readonly #name: string;
  readonly #memory: RecordMemory;
  readonly #look: <T>(body: (view: StoredView) => T) => T;

  /** `look` shows the book as it is in the store. */
  constructor(name: string, memory: RecordMemory, look: <T>(body: (view: StoredView) => T) => T) {
    this.#name = name;
    this.#memory = memory;
    this.#look = look;
  }

  find(place: Place): unknown {
    const known = this.#memory.find(this.#name, place);
    if (known !== undefined) return known.value;
    const text = this.#look((view) => view.findText(place));
    const value = text === undefined ? undefined : parseJsonText(text);
    this.#memory.note(this.#name, place, value, text?.length ?? 0);
    return value;
  }

  list(place: Place, range: RowRange): readonly BookRow[] {
    return this.#look((view) => view.list(place, range));
  }

  listKeys(place: Place, range: RowRange): readonly string[] {
    return this.#look((view) => view.listKeys(place, range));
  }
}
