import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import type { RecordView } from '../../records/store.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import { projectScope } from '../tenants/scope.ts';
import { type Account, emptyAccount } from './account.ts';
import {
  INDEXES,
  indexPaths,
  listByTime,
  nameStart,
  readCount,
  readIndexState,
  uidOfEntry,
} from './account-index.ts';
import { accountRecords, findAccount, removeAccount, saveAccount } from './account-store.ts';

const RECORDS = accountRecords(projectScope('demo'));

function person(uid: string, displayName: string | null, lastLoginAtMs: number | null = null): Account {
  return { ...emptyAccount(uid, 1_000), displayName, lastLoginAtMs };
}

async function openRecords(accounts: readonly Account[]) {
  const recordStore = memoryRecordStore();
  for (const account of accounts)
    await recordStore.change((transaction) => saveAccount(transaction.records(RECORDS), undefined, account));
  return <T>(read: (records: RecordView) => NotPromise<T>): T =>
    recordStore.read((view) => read(view.records(RECORDS)));
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
])('[I610] a search for %j finds names that contain it at the start of a word', async (text, uids) => {
  const look = await openRecords(PEOPLE);
  const prefix = nameStart(text);
  const find = (records: RecordView) => records.listKeys(['names'], { prefix, limit: 10 }).map(uidOfEntry);
  expect(prefix === '' ? [] : look(find)).toEqual(uids);
});

const HOUR_MS = 60 * 60 * 1_000;

test('[I611] the accounts with the latest sign-ins come first, page by page', async () => {
  const look = await openRecords([
    person('a', null, 9 * HOUR_MS),
    person('b', null, 1_700_000_000_000),
    person('c', null, 3),
  ]);
  const first = look((records) => listByTime(records, 'seen', null, 2));
  expect(first.map(uidOfEntry)).toEqual(['b', 'a']);
  const second = look((records) => listByTime(records, 'seen', first.at(-1) ?? null, 2));
  expect(second.map(uidOfEntry)).toEqual(['c']);
});

test('[I616] another sign-in within the same hour changes no index', async () => {
  const recordStore = memoryRecordStore();
  const written: string[] = [];
  recordStore.watch((_records, [kind = '']) => written.push(kind));
  for (const [before, after] of [
    [null, 5 * HOUR_MS],
    [5 * HOUR_MS, 6 * HOUR_MS - 1],
    [6 * HOUR_MS - 1, 6 * HOUR_MS],
  ] as const)
    await recordStore.change((transaction) => {
      const account = before === null ? undefined : person('a', 'Ada', before);
      saveAccount(transaction.records(RECORDS), account, person('a', 'Ada', after));
    });
  expect(written.filter((kind) => kind === 'seen').length).toBe(3);
  expect(
    recordStore.read((view) => listByTime(view.records(RECORDS), 'seen', null, 9)).map(uidOfEntry),
  ).toEqual(['a']);
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

test('[I612][I636] after any changes, the indexes and the stored number of accounts match the current accounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 12 }), async (history) => {
      const recordStore = memoryRecordStore();
      for (const change of history)
        await recordStore.change((transaction) => {
          const records = transaction.records(RECORDS);
          const before = findAccount(records, change.uid);
          if (change.kind === 'save')
            saveAccount(records, before, person(change.uid, change.name, change.seen));
          else if (before !== undefined) removeAccount(records, before);
        });
      recordStore.read((view) => {
        const records = view.records(RECORDS);
        const accounts = records
          .listKeys(['accounts'], { limit: 99 })
          .flatMap((uid) => findAccount(records, uid) ?? []);
        const entries = INDEXES.flatMap((index) =>
          records.listKeys([index], { limit: 999 }).map((entry) => `${index} ${entry}`),
        );
        expect(entries.toSorted()).toEqual(
          accounts
            .flatMap(indexPaths)
            .map(([index, entry]) => `${index} ${entry}`)
            .toSorted(),
        );
        expect(readIndexState(records).kind === 'complete' || accounts.length === 0).toBe(true);
        expect(readCount(records)).toBe(accounts.length);
      });
    }),
    { numRuns: 60 },
  );
});
