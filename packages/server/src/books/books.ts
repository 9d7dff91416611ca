/** Where a record is, from the root of its book. A segment may be any text that is not empty; 255 characters always fit. */
export type Place = readonly string[];

export interface BookRow {
  readonly key: string;
  /** JSON, as `BookView.find` gives it. */
  readonly value: unknown;
}

/** Which children, in key order; see `BookView.list`. At most one of `from`, `after` and `prefix`. */
export interface RowRange {
  /** Included. */
  readonly from?: string;
  /** Excluded. */
  readonly after?: string;
  /** Excluded. */
  readonly before?: string;
  /** Only keys that begin with it. Not for books whose keys are whole numbers, which sort apart from other text. */
  readonly prefix?: string;
  readonly limit: number;
  readonly isReversed?: boolean;
}

/** One book at one moment. */
export interface BookView {
  /**
   * The value at a place as JSON; `undefined` when there is none, as at places that no record can have: a segment is empty or
   * too long. Lists come back as objects of their positions.
   */
  find(place: Place): unknown;
  /** Children of a place in key order: whole numbers first, then text by UTF-16 code units. */
  list(place: Place, range: RowRange): readonly BookRow[];
  /** Only the keys of `list`, without a look at the values. */
  listKeys(place: Place, range: RowRange): readonly string[];
}

/** One book within a change: it shows what was there before, whatever the change has written. */
export interface BookTurn extends BookView {
  /**
   * Replaces what is at a place, once the change is decided. `null` and `undefined` remove it. Names of members must be
   * valid keys of a tree; members that are empty or `null` vanish. Only a removal goes together with writes of places
   * below: those before it are void, those after it are all that is there then.
   */
  write(place: Place, value: unknown): void;
  /**
   * Adds to the number at a place, which is 0 where there is none, whatever else the change adds there. No write of the change
   * is at that place, above or below it.
   */
  increase(place: Place, by: number): void;
}

export interface BooksView {
  book(name: string): BookView;
}

/** What a change sees and does. */
export interface BooksTurn extends BooksView {
  /** The server's time, the same for the whole change. */
  readonly nowMs: number;
  book(name: string): BookTurn;
  /** Runs once the change is durable. */
  afterwards(action: () => void): void;
}

/**
 * Hearth's own records: trees like those of its users, so that they are durable, ordered and told to listeners by what
 * does that for users' data, and out of reach of requests.
 */
export interface Books {
  /** Looks at what is durable. */
  read<T>(body: (view: BooksView) => T): T;
  /**
   * Decides in one turn, and writes all or nothing. Resolves once that is durable; rejects with what `body` throws, and
   * with a `Refusal` when there is no room. `body` must be quick and do nothing that cannot be taken back.
   */
  change<T>(body: (turn: BooksTurn) => T): Promise<T>;
  /** Tells of every write from now on, once it is durable. */
  watch(watcher: BookWatcher): void;
}

/** What was written to books lately. */
export interface BookHistory {
  /** The number of the last commit of a book; 0 before the first. */
  lastCommit(book: string): number;
  /** Commits of a book after one of them, in order and at most `limit`, as far back as they are kept. */
  commits(book: string, after: number, limit: number): readonly BookCommit[];
}

/** What was written together to a book. */
export interface BookCommit {
  /** 1, 2, 3 … without gaps. */
  readonly number: number;
  readonly writes: readonly CommittedWrite[];
}

export interface CommittedWrite {
  readonly place: Place;
  readonly isRemoval: boolean;
}

/** Is told of a write: the book, the place, and what is there now. */
export type BookWatcher = (book: string, place: Place, value: unknown) => void;
