import { setImmediate } from 'node:timers/promises';
import type { Books } from '../../books/books.ts';
import { accountsBook } from '../account-book.ts';
import { findCount } from '../account-index-state.ts';

/** Names that are read at once, so that nobody else waits for long. */
const STEP_NAMES = 1_000;

/** How many accounts a project has. Takes time that grows with their number only until they are all in the index. */
export async function countAccounts(books: Books, projectId: string): Promise<number> {
  const kept = books.read((view) => findCount(view.book(accountsBook(projectId))));
  return kept ?? countEach(books, projectId);
}

async function countEach(books: Books, projectId: string): Promise<number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const range = { limit: STEP_NAMES, ...(after === undefined ? {} : { after }) };
    const keys = books.read((view) => view.book(accountsBook(projectId)).listKeys(['accounts'], range));
    count += keys.length;
    after = keys.at(-1);
    if (keys.length < STEP_NAMES) return count;
    await setImmediate();
  }
}
