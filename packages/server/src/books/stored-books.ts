import { parseDraft } from '@hearth/core/tree/draft.ts';
import { formatPath, pathOf } from '@hearth/core/tree/path.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { bookDatabase } from '../database/book-name.ts';
import type { Database } from '../database/database.ts';
import { compareWrites, type DraftWrite } from '../database/draft-write.ts';
import { decideWrite } from '../database/write.ts';
import { ADMIN } from '../identity/identity.ts';
import type { KvStore } from '../kv/store.ts';
import { encodeBookKey } from './book-key.ts';
import type { Books, BooksTurn, BooksView, BookTurn, Place, RowRange } from './books.ts';
import { StoredView } from './stored-view.ts';

export interface StoredBooksOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly openDatabase: (name: string, turn: Turn) => Database;
}

/** What the body of a change came to: a refusal of it leaves the others of its turn as they are. */
type Outcome<T> =
  | { readonly kind: 'decided'; readonly result: T }
  | { readonly kind: 'refused'; readonly error: unknown };

/** Books in the store that users' data are in, changed in the same turns. */
export class StoredBooks implements Books {
  readonly #options: StoredBooksOptions;

  constructor(options: StoredBooksOptions) {
    this.#options = options;
  }

  read<T>(body: (view: BooksView) => T): T {
    const result = this.#options.store.read((tx) => ({
      of: body({ book: (name) => new StoredView(tx, name) }),
    }));
    return result.of;
  }

  async change<T>(body: (turn: BooksTurn) => T): Promise<T> {
    const { committer, openDatabase } = this.#options;
    const outcome = await committer.request((turn): Outcome<T> => {
      const change = new Change(turn);
      try {
        const result = body(change);
        change.apply(openDatabase);
        return { kind: 'decided', result };
      } catch (error) {
        // Once something is written, only undoing the turn takes it back.
        if (change.isApplied) throw error;
        return { kind: 'refused', error };
      }
    });
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome.result;
  }
}

class Change implements BooksTurn {
  readonly #turn: Turn;
  readonly #books = new Map<string, ChangedBook>();
  isApplied = false;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get nowMs(): number {
    return this.#turn.nowMs;
  }

  book(name: string): BookTurn {
    const known = this.#books.get(name);
    if (known !== undefined) return known;
    const book = new ChangedBook(new StoredView(this.#turn.tx, name));
    this.#books.set(name, book);
    return book;
  }

  afterwards(action: () => void): void {
    this.#turn.afterwards(action);
  }

  apply(openDatabase: StoredBooksOptions['openDatabase']): void {
    const changed = [...this.#books]
      .map(([name, book]) => ({ name, writes: book.writes() }))
      .filter(({ writes }) => writes.length > 0);
    if (changed.length > 0) this.#turn.mustBeWritable();
    for (const { name, writes } of changed) {
      this.isApplied = true;
      decideWrite(this.#turn, openDatabase(bookDatabase(name), this.#turn), {
        operation: 'merge',
        identity: ADMIN,
        writes,
        areTriggersDisabled: true,
      });
    }
  }
}

class ChangedBook implements BookTurn {
  readonly #view: StoredView;
  /** By path; of several writes of one place the last counts. */
  readonly #writes = new Map<string, DraftWrite>();

  constructor(view: StoredView) {
    this.#view = view;
  }

  find(place: Place): unknown {
    return this.#view.find(place);
  }

  list(place: Place, range: RowRange): ReturnType<BookTurn['list']> {
    return this.#view.list(place, range);
  }

  write(place: Place, value: unknown): void {
    const path = pathOf(place.map(encodeBookKey));
    const draft = parseDraft(value ?? null, path.length);
    this.#writes.set(formatPath(path), { kind: 'node', path, draft });
  }

  /** In the order in which an update is made. */
  writes(): readonly DraftWrite[] {
    for (const { path } of this.#writes.values())
      for (let length = 1; length < path.length; length += 1)
        if (this.#writes.has(formatPath(path.slice(0, length))))
          throw new Error(`Bug: a change writes ${formatPath(path)} and a place above it.`);
    return [...this.#writes.values()].sort(compareWrites);
  }
}
