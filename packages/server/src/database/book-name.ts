/** What the names of Hearth's own databases begin with. No request can name such a database. */
const MARK = '!';

/** The database that holds one of Hearth's own books. */
export function bookDatabase(book: string): string {
  return `${MARK}${book}`;
}

/** Is it the database of a book, and not one of an owner of data? */
export function isBookDatabase(name: string): boolean {
  return name.startsWith(MARK);
}

/** The book that a database holds; `undefined` for a database of an owner of data. */
export function findBook(name: string): string | undefined {
  return isBookDatabase(name) ? name.slice(MARK.length) : undefined;
}
