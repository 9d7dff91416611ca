/** Nesting depth of the list entries: inside the object and its list. */
const ENTRY_DEPTH = 2;

export interface JsonListSplitterOptions {
  /** Name of the list in the object. */
  readonly list: string;
  /** Maximum length of one entry, and of all text outside the entries, in UTF-16 code units. */
  readonly maxLength: number;
}

/**
 * Splits the text of an object with a list of objects, such as `{"users": [{…}, {…}]}`, into the texts of the entries
 * of the list. The text may have any length and arrive in chunks of any size. Throws a `SyntaxError` if the text is
 * not an object or has an extra closing bracket, or if a part of it exceeds `maxLength`. The splitter does not
 * validate the content of entries.
 */
export class JsonListSplitter {
  readonly #options: JsonListSplitterOptions;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasStarted = false;
  /** The last string at the outermost level. When a list begins, this is its name. */
  #name = '';
  #isInList = false;
  /** The part of the current entry from earlier chunks. */
  #entry = '';
  #start = -1;
  #others = '';

  constructor(options: JsonListSplitterOptions) {
    this.#options = options;
  }

  /** Whether the end of the object was reached. */
  get isComplete(): boolean {
    return this.#hasStarted && this.#depth === 0;
  }

  /**
   * The text so far without the entries. When the object is complete, this is the same object with an empty
   * list.
   */
  get others(): string {
    return this.#others;
  }

  /** Yields the texts of the entries that end in the next chunk of the text. */
  *push(piece: string): Generator<string> {
    const all = this.#entry + piece;
    for (let at = this.#entry.length; at < all.length; at += 1) {
      const character = all.charCodeAt(at);
      const isOutsideEntries =
        this.#start < 0 && !(this.#isInList && this.#depth === ENTRY_DEPTH && character !== CLOSE_LIST);
      if (this.#isInString) this.#readString(character, all.charAt(at));
      else if (character === QUOTE) this.#openString();
      else if (character === OPEN_OBJECT || character === OPEN_LIST) this.#open(character, at);
      else if ((character === CLOSE_OBJECT || character === CLOSE_LIST) && this.#close()) {
        yield all.slice(this.#start, at + 1);
        this.#start = -1;
      }
      if (isOutsideEntries) this.#others += all.charAt(at);
    }
    this.#storeUnfinishedEntry(all);
  }

  #openString(): void {
    this.#isInString = true;
    if (this.#depth === 1) this.#name = '';
  }

  #readString(code: number, character: string): void {
    if (this.#depth === 1 && code !== QUOTE) this.#name += character;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
  }

  #open(character: number, at: number): void {
    if (!this.#hasStarted && character !== OPEN_OBJECT)
      throw new SyntaxError(`The file must be an object with a list "${this.#options.list}".`);
    this.#hasStarted = true;
    if (this.#depth === 1) this.#isInList = this.#name === this.#options.list && character === OPEN_LIST;
    if (this.#depth === ENTRY_DEPTH && this.#isInList) this.#start = at;
    this.#depth += 1;
  }

  /** Closes a bracket. Returns whether this ends an entry. */
  #close(): boolean {
    this.#depth -= 1;
    if (this.#depth < 0) throw new SyntaxError('The file is not JSON: it has an extra closing bracket.');
    if (this.#depth === 1) this.#isInList = false;
    return this.#depth === ENTRY_DEPTH && this.#start >= 0;
  }

  /**
   * Stores the part of the text that belongs to an unfinished entry. Throws a `SyntaxError` when that entry
   * or the text outside the entries exceeds `maxLength`.
   */
  #storeUnfinishedEntry(all: string): void {
    this.#entry = this.#start < 0 ? '' : all.slice(this.#start);
    if (this.#start >= 0) this.#start = 0;
    const { list, maxLength } = this.#options;
    if (this.#entry.length > maxLength)
      throw new SyntaxError(`An entry of "${list}" in the file is longer than ${maxLength} characters.`);
    if (this.#others.length > maxLength)
      throw new SyntaxError(`The file has more than ${maxLength} characters outside "${list}".`);
  }
}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];
