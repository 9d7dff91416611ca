import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBooks } from '../../records/memory-records.fixture.ts';
import type { BookView } from '../../records/store.ts';
import { type Account, emptyAccount } from './account.ts';
import {
  findByNameStart,
  INDEXES,
  indexPlaces,
  listByTime,
  readCount,
  readIndexState,
  uidOfEntry,
} from './account-index.ts';
import { accountsBook, findAccount, removeAccount, saveAccount } from './account-store.ts';

const BOOK = accountsBook('demo');

function person(uid: string, displayName: string | null, lastLoginAtMs: number | null = null): Account {
  return { ...emptyAccount(uid, 1_000), displayName, lastLoginAtMs };
}

async function openBook(accounts: readonly Account[]) {
  const books = memoryBooks();
  for (const account of accounts)
    await books.change((turn) => saveAccount(turn.book(BOOK), undefined, account));
  return <T>(look: (book: BookView) => T): T => books.read((view) => look(view.book(BOOK)));
}

const PEOPLE = [
  person('grace', 'Grace Brewster Murray Hopper'),
  person('zoe', 'Zoë  Müller-Lüdenscheidt'),
  person('slash', 'a/b\u0000.$c'),
  person('yamada', '山田 太郎'),
  person('none', null),
  person('isil', 'Işıl (Can) Ünal'),
  person('jose', 'Jose\u0301 "Pepe" Weiß'),
  person('kostas', 'ΚΏΣΤΑΣ Νίκος'),
  person('bidi', '\u202eMara\u200b \u2067Levi\u2069'),
  person('words', 'word '.repeat(10_000)),
  person('long', `${'x'.repeat(39)}😀 rest`),
];

test.each<readonly [string, readonly string[]]>([
  ['GRACE', ['grace']],
  ['hopp', ['grace']],
  ['murray hopper', ['grace']],
  ['race', []],
  ['zoe mu', ['zoe']],
  ['ludensch', ['zoe']],
  ['A/B .$', ['slash']],
  ['太', ['yamada']],
  ['x'.repeat(60), []],
  [`${'x'.repeat(39)}😀 rest`, ['long']],
  ['ISIL', ['isil']],
  ['ışıl', ['isil']],
  ['İşıl', ['isil']],
  ['can', ['isil']],
  ['josé', ['jose']],
  ['jose\u0301', ['jose']],
  ['ＪＯＳＥ', ['jose']],
  ['pepe', ['jose']],
  ['WEISS', ['jose']],
  ['weiß', ['jose']],
  ['κως', ['kostas']],
  ['ΚΩΣ', ['kostas']],
  ['νικοσ', ['kostas']],
  ['mara le', ['bidi']],
  ['levi', ['bidi']],
  ['word word', ['words']],
  ['\ud800', []],
  [' ', []],
])('[I610] names that have %j at the beginning of a word', async (text, uids) => {
  const look = await openBook(PEOPLE);
  expect(look((book) => findByNameStart(book, text, 10))).toEqual(uids);
});

const HOUR_MS = 60 * 60 * 1_000;

test('[I611] the latest come first, and one page after the other', async () => {
  const look = await openBook([
    person('a', null, 9 * HOUR_MS),
    person('b', null, 1_700_000_000_000),
    person('c', null, 3),
  ]);
  const first = look((book) => listByTime(book, 'seen', null, 2));
  expect(first.map(uidOfEntry)).toEqual(['b', 'a']);
  const second = look((book) => listByTime(book, 'seen', first.at(-1) ?? null, 2));
  expect(second.map(uidOfEntry)).toEqual(['c']);
});

test('[I616] who signs in again within an hour of the clock moves nothing', async () => {
  const books = memoryBooks();
  const written: string[] = [];
  books.watch((_book, [kind = '']) => written.push(kind));
  for (const [before, after] of [
    [null, 5 * HOUR_MS],
    [5 * HOUR_MS, 6 * HOUR_MS - 1],
    [6 * HOUR_MS - 1, 6 * HOUR_MS],
  ] as const)
    await books.change((turn) => {
      const account = before === null ? undefined : person('a', 'Ada', before);
      saveAccount(turn.book(BOOK), account, person('a', 'Ada', after));
    });
  expect(written.filter((kind) => kind === 'seen').length).toBe(3);
  expect(books.read((view) => listByTime(view.book(BOOK), 'seen', null, 9)).map(uidOfEntry)).toEqual(['a']);
});

const uids = fc.constantFrom('a', 'b', '7', '%\u0000/');
const changes = fc.oneof(
  fc.record({
    kind: fc.constant('save' as const),
    uid: uids,
    name: fc.option(fc.string({ unit: 'binary', maxLength: 50 })),
    seen: fc.option(fc.nat({ max: 3 * HOUR_MS })),
  }),
  fc.record({ kind: fc.constant('remove' as const), uid: uids }),
);

test('[I612][I636] whatever becomes of accounts, their indexes and number are as if they were made anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 12 }), async (history) => {
      const books = memoryBooks();
      for (const change of history)
        await books.change((turn) => {
          const book = turn.book(BOOK);
          const before = findAccount(book, change.uid);
          if (change.kind === 'save') saveAccount(book, before, person(change.uid, change.name, change.seen));
          else if (before !== undefined) removeAccount(book, before);
        });
      books.read((view) => {
        const book = view.book(BOOK);
        const accounts = book
          .listKeys(['accounts'], { limit: 99 })
          .flatMap((uid) => findAccount(book, uid) ?? []);
        const entries = INDEXES.flatMap((index) =>
          book.listKeys([index], { limit: 999 }).map((entry) => `${index} ${entry}`),
        );
        expect(entries.toSorted()).toEqual(
          accounts
            .flatMap(indexPlaces)
            .map(([index, entry]) => `${index} ${entry}`)
            .toSorted(),
        );
        expect(readIndexState(book).kind === 'complete' || accounts.length === 0).toBe(true);
        expect(readCount(book)).toBe(accounts.length);
      });
    }),
    { numRuns: 60 },
  );
});
