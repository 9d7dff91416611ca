import { expect, test } from 'vitest';
import { memoryBooks } from '../../records/memory-records.fixture.ts';
import type { BookTurn } from '../../records/store.ts';
import { emptyAccount } from './account.ts';
import { accountsBook, saveAccount } from './account-store.ts';
import { checkAccounts } from './check.ts';

const BOOK = accountsBook('demo');

async function problemsAfter(damage: (book: BookTurn) => void): Promise<readonly string[]> {
  const books = memoryBooks();
  await books.change((turn) => {
    for (const uid of ['ann', 'bob'])
      saveAccount(turn.book(BOOK), undefined, {
        ...emptyAccount(uid, turn.nowMs),
        email: `${uid}@example.com`,
        phoneNumber: uid === 'ann' ? '+15550001' : null,
      });
  });
  await books.change((turn) => damage(turn.book(BOOK)));
  return books.read((view) => {
    const check = checkAccounts(view.book(BOOK));
    for (;;) {
      const { done, value } = check.next();
      if (done === true) return value.problems;
    }
  });
}

test.each<[string, (book: BookTurn) => void, readonly string[]]>([
  ['nothing', () => {}, []],
  [
    'a lost address',
    (book) => book.write(['emails', 'ann@example.com'], null),
    ['the account ann is not found by its address'],
  ],
  [
    'a lost number',
    (book) => book.write(['phones', '+15550001'], null),
    ['the account ann is not found by its number'],
  ],
  [
    'an address that leads elsewhere',
    (book) => book.write(['emails', 'eve@example.com'], 'ann'),
    ['something in emails leads to an account that does not have it'],
  ],
  [
    'a lost entry of an index',
    (book) => book.write(['created', '001700000000000\u0000ann'], null),
    ['the account ann is not in all indexes'],
  ],
  [
    'an entry of an index that leads elsewhere',
    (book) => book.write(['names', 'eve\u0000ann'], true),
    ['something in the index names leads to an account that it does not fit'],
  ],
  [
    'a session of nobody',
    (book) => book.write(['sessions', 's'], { uid: 'eve' }),
    ['a session belongs to no account'],
  ],
  [
    'a session that is on no list',
    (book) => book.write(['sessions', 's'], { uid: 'ann' }),
    ['a session of the account ann is not on its list'],
  ],
  [
    'a wrong number of accounts',
    (book) => book.increase(['count'], 1),
    ['3 accounts were counted where 2 are'],
  ],
])('[I532] the doctor finds %s', async (_name, damage, problems) => {
  expect(await problemsAfter(damage)).toEqual(problems);
});
