import { expect, test } from 'vitest';
import type { Books } from '../../books/books.ts';
import { memoryBooks } from '../../books/memory-books.fixture.ts';
import { createLogger } from '../../ops/logger.ts';
import { type Account, emptyAccount } from '../account.ts';
import { accountsBook, findAccount, removeAccount, saveAccount } from '../account-book.ts';
import { findByNameStart, readIndexState } from '../account-index.ts';
import { encodeAccount } from '../account-record.ts';
import { checkAccounts } from '../check-accounts.ts';
import { AccountDirectory } from './account-directory.ts';
import { AccountIndexing } from './account-indexing.ts';

const BOOK = accountsBook('demo');
const COUNT = 230;

function person(index: number, displayName = `Person ${index}`): Account {
  return { ...emptyAccount(`u${String(index).padStart(4, '0')}`, index), displayName };
}

/** Books with accounts from before there was an index. */
async function openOldBooks(): Promise<Books> {
  const books = memoryBooks();
  await books.change((turn) => {
    for (let index = 0; index < COUNT; index++) {
      const account = person(index);
      turn.book(BOOK).write(['accounts', account.uid], encodeAccount(account));
    }
  });
  return books;
}

function openIndexing(books: Books): AccountIndexing {
  return new AccountIndexing({ books, logger: createLogger('silent', { write: () => true }) });
}

function problemsOf(books: Books): readonly string[] {
  return books.read((view) => {
    const check = checkAccounts(view.book(BOOK));
    for (let step = check.next(); ; step = check.next()) if (step.done === true) return step.value.problems;
  });
}

function stateOf(books: Books) {
  return books.read((view) => readIndexState(view.book(BOOK)));
}

test('[I613] accounts from before are indexed, and those that change meanwhile are as they are then', async () => {
  const books = await openOldBooks();
  const indexing = openIndexing(books);
  const done = indexing.index('demo');
  for (const [index, name] of [
    [0, 'Changed First'],
    [COUNT - 1, 'Changed Last'],
  ] as const)
    await books.change((turn) => {
      const book = turn.book(BOOK);
      const account = person(index, name);
      saveAccount(book, findAccount(book, account.uid), account);
    });
  await books.change((turn) => removeAccount(turn.book(BOOK), person(120)));
  await done;
  expect(stateOf(books)).toEqual({ kind: 'complete' });
  expect(problemsOf(books)).toEqual([]);
  expect(books.read((view) => findByNameStart(view.book(BOOK), 'changed', 9))).toEqual(['u0000', 'u0229']);
});

test('[I613] until all are indexed, the latest are not listed', async () => {
  const books = await openOldBooks();
  const directory = new AccountDirectory(books);
  const latest = () => directory.listLatest('demo', 'created', { after: null, limit: 2 });
  expect(latest).toThrow('are being indexed');
  await openIndexing(books).index('demo');
  expect(latest().accounts).toMatchObject([{ localId: 'u0229' }, { localId: 'u0228' }]);
  expect(new AccountDirectory(memoryBooks()).listLatest('demo', 'seen', { after: null, limit: 2 })).toEqual({
    accounts: [],
    next: null,
  });
});

test('[I613] what was broken off goes on where it was', async () => {
  const books = await openOldBooks();
  const broken = openIndexing(books);
  const done = broken.index('demo');
  broken[Symbol.dispose]();
  await expect(done).rejects.toThrow('unavailable');
  expect(stateOf(books)).toEqual({ kind: 'incomplete', after: 'u0049' });
  await openIndexing(books).index('demo');
  expect(stateOf(books)).toEqual({ kind: 'complete' });
  expect(problemsOf(books)).toEqual([]);
});

test('[I613] a project without accounts needs no book, and its first account has a whole index', async () => {
  const books = memoryBooks();
  await openIndexing(books).index('demo');
  expect(stateOf(books)).toEqual({ kind: 'incomplete', after: null });
  await books.change((turn) => saveAccount(turn.book(BOOK), undefined, person(1)));
  expect(stateOf(books)).toEqual({ kind: 'complete' });
});

test('[I618] a project whose accounts cannot be indexed keeps no other from being so', async () => {
  const books = await openOldBooks();
  await books.change((turn) => {
    turn.book(accountsBook('damaged')).write(['accounts', 'u'], 'no account');
  });
  const told: string[] = [];
  const done = Promise.withResolvers<void>();
  books.watch((book, [kind], value) => {
    if (book === BOOK && kind === 'indexed' && value === true) done.resolve();
  });
  const logger = createLogger('error', { write: (line: string) => told.push(line) > 0 });
  new AccountIndexing({ books, logger }).start(['damaged', 'demo']);
  await done.promise;
  expect(stateOf(books)).toEqual({ kind: 'complete' });
  expect(told.join('')).toContain('"project":"damaged"');
});
