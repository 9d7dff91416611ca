import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { memoryBooks } from '../../records/memory-records.fixture.ts';
import type { BookHistory, Books, BookTurn } from '../../records/store.ts';
import { type Account, emptyAccount, encodeAccount } from './account.ts';
import { findByNameStart, findCount, readIndexState, writeIndexState } from './account-index.ts';
import { accountsBook, findAccount, removeAccount, saveAccount } from './account-store.ts';
import { checkAccounts } from './check.ts';
import { AccountDirectory } from './directory.ts';
import { AccountIndexing } from './indexing.ts';
import { countAccounts } from './query.ts';

const BOOK = accountsBook('demo');
const COUNT = 230;

function person(index: number, displayName = `Person ${index}`): Account {
  return { ...emptyAccount(`u${String(index).padStart(4, '0')}`, index), displayName };
}

/** As a release would write it that knows of no index. */
function writeAsBefore(book: BookTurn, account: Account): void {
  book.write(['accounts', account.uid], encodeAccount(account));
}

/** Books with accounts from before there was an index. */
async function openOldBooks(): Promise<Books & BookHistory> {
  const books = memoryBooks();
  await books.change((turn) => {
    for (let index = 0; index < COUNT; index++) {
      writeAsBefore(turn.book(BOOK), person(index));
    }
  });
  return books;
}

function save(books: Books, account: Account): Promise<void> {
  return books.change((turn) => {
    const book = turn.book(BOOK);
    saveAccount(book, findAccount(book, account.uid), account);
  });
}

function openIndexing(books: Books & BookHistory): AccountIndexing {
  return new AccountIndexing({ books, logger: createLogger('silent', { write: () => true }) });
}

function problemsOf(books: Books): readonly string[] {
  return books.read((view) => {
    const check = checkAccounts(view.book(BOOK));
    for (let step = check.next(); ; step = check.next()) if (step.done === true) return step.value.problems;
  });
}

/** The commit up to which the index is known to have been kept. */
function noteOf(books: Books): number {
  const state = stateOf(books);
  return state.kind === 'complete' ? state.commit : 0;
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
    await save(books, person(index, name));
  await books.change((turn) => removeAccount(turn.book(BOOK), person(120)));
  await done;
  expect(stateOf(books).kind).toBe('complete');
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
  expect(stateOf(books)).toEqual({ kind: 'incomplete', phase: 'accounts', after: 'u0049' });
  await openIndexing(books).index('demo');
  expect(stateOf(books).kind).toBe('complete');
  expect(problemsOf(books)).toEqual([]);
});

test('[I636] accounts that come and go before all are counted are counted once', async () => {
  const books = await openOldBooks();
  const broken = openIndexing(books);
  const done = broken.index('demo');
  broken[Symbol.dispose]();
  await expect(done).rejects.toThrow('unavailable');
  for (const uid of ['7', 'u0000a', 'u0049', 'u0050a', 'z'])
    await save(books, { ...emptyAccount(uid, 5), displayName: uid });
  for (const index of [3, 100]) await books.change((turn) => removeAccount(turn.book(BOOK), person(index)));
  expect(await countAccounts(books, 'demo')).toBe(COUNT + 2);
  await openIndexing(books).index('demo');
  expect(books.read((view) => findCount(view.book(BOOK)))).toBe(COUNT + 2);
  expect(problemsOf(books)).toEqual([]);
});

test.each<[string, boolean, (book: BookTurn) => void]>([
  ['made an account', false, (book) => writeAsBefore(book, person(COUNT))],
  ['changed a name', false, (book) => writeAsBefore(book, person(2, 'Another Name'))],
  ['removed an account', false, (book) => book.write(['accounts', 'u0002'], null)],
  ['wrote nothing', true, () => undefined],
  ['kept the index', true, (book) => removeAccount(book, person(2))],
  [
    'left another log behind',
    false,
    (book) => writeIndexState(book, { kind: 'complete', commit: 1_000_000 }),
  ],
])(
  '[I637] an index is made anew unless the release that was there meanwhile %s',
  async (name, isKept, act) => {
    const books = await openOldBooks();
    await openIndexing(books).index('demo');
    await books.change((turn) => act(turn.book(BOOK)));
    const told: string[] = [];
    const logger = createLogger('warn', { write: (line: string) => told.push(line) > 0 });
    await new AccountIndexing({ books, logger }).index('demo');
    expect(told.length).toBe(isKept ? 0 : 1);
    expect(problemsOf(books)).toEqual([]);
    expect(stateOf(books).kind, name).toBe('complete');
  },
);

test('[I637] up to where the index was kept is noted from time to time', async () => {
  const books = memoryBooks();
  const indexing = openIndexing(books);
  indexing.start([]);
  const noted = Promise.withResolvers<void>();
  books.watch((_book, [kind]) => {
    if (kind === 'indexed' && noteOf(books) > 0) noted.resolve();
  });
  for (let step = 0; step < 30; step++)
    await books.change((turn) => {
      for (let index = 0; index < 50; index++)
        saveAccount(turn.book(BOOK), undefined, person(step * 50 + index));
    });
  await noted.promise;
  expect(noteOf(books)).toBeGreaterThan(20);
});

test('[I613] a project without accounts needs no book, and its first account has a whole index', async () => {
  const books = memoryBooks();
  await openIndexing(books).index('demo');
  expect(stateOf(books).kind).toBe('incomplete');
  await books.change((turn) => saveAccount(turn.book(BOOK), undefined, person(1)));
  expect(stateOf(books).kind).toBe('complete');
});

test('[I618] a project whose accounts cannot be indexed keeps no other from being so', async () => {
  const books = await openOldBooks();
  await books.change((turn) => {
    turn.book(accountsBook('damaged')).write(['accounts', 'u'], 'no account');
  });
  const told: string[] = [];
  const done = Promise.withResolvers<void>();
  books.watch((book, [kind]) => {
    if (book === BOOK && kind === 'indexed' && stateOf(books).kind === 'complete') done.resolve();
  });
  const logger = createLogger('error', { write: (line: string) => told.push(line) > 0 });
  new AccountIndexing({ books, logger }).start(['damaged', 'demo']);
  await done.promise;
  expect(stateOf(books).kind).toBe('complete');
  expect(told.join('')).toContain('"project":"damaged"');
});
