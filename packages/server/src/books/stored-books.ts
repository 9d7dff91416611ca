import { formatPath, pathOf } from '@hearth/core/tree/path.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { bookDatabase } from '../database/book-name.ts';
import type { Database } from '../database/database.ts';
import { findStoredTree } from '../database/database-directory.ts';
import type { DraftWrite } from '../database/draft-write.ts';
import { decideWrite } from '../database/write.ts';
import { ADMIN } from '../identity/identity.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import { seqOf } from '../log/commit.ts';
import type { CommitLog } from '../log/log.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { decodeBookKey, encodeBookKey } from './book-key.ts';
import type {
  BookCommit,
  BookHistory,
  Books,
  BooksTurn,
  BooksView,
  BookTurn,
  BookWatcher,
  Place,
  RowRange,
} from './books.ts';
import { composeWrites, type PlacedWrite } from './compose-writes.ts';
import { DurableBook } from './durable-book.ts';
import { type KnownRecord, RecordMemory } from './record-memory.ts';
import { StoredView } from './stored-view.ts';

export interface StoredBooksOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly log: CommitLog;
  readonly openDatabase: (name: string, turn: Turn) => Database;
}

/** Most books whose trees are remembered; beyond, all are forgotten and looked for again. */
const MAX_REMEMBERED = 1_000;

/** What the body of a change came to: a refusal of it leaves the others of its turn as they are. */
type Outcome<T> =
  | { readonly kind: 'decided'; readonly result: T }
  | { readonly kind: 'refused'; readonly error: unknown };

/** Books in the store that users' data are in, changed in the same turns. */
export class StoredBooks implements Books, BookHistory {
  readonly #options: StoredBooksOptions;
  readonly #watchers: BookWatcher[] = [];
  /** Of books that are durable: no tree is ever taken away, and none of these has indexes. */
  readonly #trees = new Map<string, StoredTree>();
  readonly #memory = new RecordMemory();

  constructor(options: StoredBooksOptions) {
    this.#options = options;
  }

  watch(watcher: BookWatcher): void {
    this.#watchers.push(watcher);
  }

  /** No turn runs while `body` does: all its looks see one state. */
  read<T>(body: (view: BooksView) => T): T {
    return body(this.#view);
  }

  readonly #view: BooksView = {
    book: (name) =>
      new DurableBook(name, this.#memory, (look) => {
        const { of } = this.#options.store.read((tx) => ({
          of: look(new StoredView(tx, this.#findTree(tx, name))),
        }));
        return of;
      }),
  };

  #findTree(tx: KvRead, name: string): StoredTree | undefined {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const found = findBookTree(tx, name);
    if (found === undefined) return undefined;
    if (this.#trees.size >= MAX_REMEMBERED) this.#trees.clear();
    this.#trees.set(name, found);
    return found;
  }

  lastCommit(book: string): number {
    const { store, log } = this.#options;
    return store.read((tx) => log.head(tx, bookDatabase(book)).seq);
  }

  commits(book: string, after: number, limit: number): readonly BookCommit[] {
    return this.#options.log.read(bookDatabase(book), seqOf(after), limit).map(({ seq, writes }) => ({
      number: seq,
      writes: writes.map((write) => ({
        place: write.path.map(decodeBookKey),
        isRemoval: write.kind === 'node' && write.node === null,
      })),
    }));
  }

  async change<T>(body: (turn: BooksTurn) => T): Promise<T> {
    const { committer, openDatabase } = this.#options;
    const outcome = await committer.request((turn): Outcome<T> => {
      const change = new Change(
        turn,
        this.#memory,
        (name) => this.#trees.get(name) ?? findBookTree(turn.tx, name),
      );
      try {
        const result = body(change);
        change.apply(openDatabase, this.#watchers);
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

/** The tree of a book as a transaction sees it. */
export function findBookTree(tx: KvRead, book: string): StoredTree | undefined {
  return findStoredTree(tx, bookDatabase(book));
}

class Change implements BooksTurn {
  readonly #turn: Turn;
  readonly #memory: RecordMemory;
  readonly #findTree: (book: string) => StoredTree | undefined;
  readonly #books = new Map<string, ChangedBook>();
  isApplied = false;

  constructor(turn: Turn, memory: RecordMemory, findTree: (book: string) => StoredTree | undefined) {
    this.#turn = turn;
    this.#memory = memory;
    this.#findTree = findTree;
  }

  get nowMs(): number {
    return this.#turn.nowMs;
  }

  book(name: string): BookTurn {
    const known = this.#books.get(name);
    if (known !== undefined) return known;
    const view = new StoredView(this.#turn.tx, this.#findTree(name));
    const book = new ChangedBook(view, (place) => this.#memory.find(name, place));
    this.#books.set(name, book);
    return book;
  }

  afterwards(action: () => void): void {
    this.#turn.afterwards(action);
  }

  apply(openDatabase: StoredBooksOptions['openDatabase'], watchers: readonly BookWatcher[]): void {
    const changed = [...this.#books]
      .map(([name, book]) => ({ name, book, writes: book.writes() }))
      .filter(({ writes }) => writes.length > 0);
    if (changed.length === 0) return;
    this.#turn.mustBeWritable();
    // What is read from here on may be of a turn that fails.
    this.#turn.onUndo(() => this.#memory.clear());
    for (const { name, book, writes } of changed) {
      this.isApplied = true;
      decideWrite(this.#turn, openDatabase(bookDatabase(name), this.#turn), {
        operation: 'merge',
        identity: ADMIN,
        writes,
        areTriggersDisabled: true,
      });
      for (const { place } of book.written) this.#memory.forget(name, place);
      this.#turn.afterwards(() => {
        for (const watcher of watchers)
          for (const { place, value } of book.written) watcher(name, place, value);
      });
    }
  }
}

interface BookWrite extends PlacedWrite {
  readonly place: Place;
}

class ChangedBook implements BookTurn {
  readonly #view: StoredView;
  readonly #recall: (place: Place) => KnownRecord | undefined;
  /** By path, in their order; of several writes of one place the last counts. */
  readonly #writes = new Map<string, BookWrite>();
  /** What is added up, with what was there before, by path. */
  readonly #totals = new Map<string, number>();

  /** `recall` tells what is remembered of what `view` shows. */
  constructor(view: StoredView, recall: (place: Place) => KnownRecord | undefined) {
    this.#view = view;
    this.#recall = recall;
  }

  /** What was remembered before counts within turns too: they forget what they write as they do. */
  find(place: Place): unknown {
    const known = this.#recall(place);
    return known === undefined ? this.#view.find(place) : known.value;
  }

  list(place: Place, range: RowRange): ReturnType<BookTurn['list']> {
    return this.#view.list(place, range);
  }

  listKeys(place: Place, range: RowRange): readonly string[] {
    return this.#view.listKeys(place, range);
  }

  write(place: Place, value: unknown): void {
    const path = pathOf(place.map(encodeBookKey));
    const name = formatPath(path);
    this.#writes.delete(name);
    this.#writes.set(name, { place, path, value: value ?? undefined });
  }

  increase(place: Place, by: number): void {
    const name = formatPath(pathOf(place.map(encodeBookKey)));
    const total = (this.#totals.get(name) ?? this.#findNumber(place)) + by;
    this.#totals.set(name, total);
    this.write(place, total);
  }

  #findNumber(place: Place): number {
    const value = this.find(place);
    return typeof value === 'number' ? value : 0;
  }

  get written(): Iterable<BookWrite> {
    return this.#writes.values();
  }

  /** In the order in which an update is made. */
  writes(): readonly DraftWrite[] {
    return composeWrites([...this.#writes.values()]);
  }
}
