import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import type { RecordHistory, RecordStore, RecordTransaction } from '../../records/store.ts';
import { projectScope } from '../tenants/scope.ts';
import { type Account, emptyAccount, encodeAccount } from './account.ts';
import { findCount, readIndexState, uidOfEntry, writeIndexState } from './account-index.ts';
import { accountRecords, findAccount, removeAccount, saveAccount } from './account-store.ts';
import { checkAccounts } from './check.ts';
import { AccountDirectory } from './directory.ts';
import { AccountIndexing } from './indexing.ts';
import { countAccounts } from './query.ts';

const RECORDS = accountRecords(projectScope('demo'));
const COUNT = 230;

function person(index: number, displayName = `Person ${index}`): Account {
  return { ...emptyAccount(`u${String(index).padStart(4, '0')}`, index), displayName };
}

/** Writes an account like a release that does not know the index. */
function writeWithoutIndex(records: RecordTransaction, account: Account): void {
  records.write(['accounts', account.uid], encodeAccount(account));
}

/** Creates records with accounts that are older than the index. */
async function openOldRecords(): Promise<RecordStore & RecordHistory> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (let index = 0; index < COUNT; index++) {
      writeWithoutIndex(transaction.records(RECORDS), person(index));
    }
  });
  return recordStore;
}

function save(recordStore: RecordStore, account: Account): Promise<void> {
  return recordStore.change((transaction) => {
    const records = transaction.records(RECORDS);
    saveAccount(records, findAccount(records, account.uid), account);
  });
}

function openIndexing(recordStore: RecordStore & RecordHistory): AccountIndexing {
  return new AccountIndexing({ recordStore, logger: createLogger('silent', { write: () => true }) });
}

function problemsOf(recordStore: RecordStore): readonly string[] {
  return recordStore.read((view) => {
    const check = checkAccounts(view.records(RECORDS));
    for (let step = check.next(); ; step = check.next()) if (step.done === true) return step.value.problems;
  });
}

/** Returns the commit up to which the index is known to be current; 0 while it is incomplete. */
function indexedCommitOf(recordStore: RecordStore): number {
  const state = stateOf(recordStore);
  return state.kind === 'complete' ? state.commit : 0;
}

function stateOf(recordStore: RecordStore) {
  return recordStore.read((view) => readIndexState(view.records(RECORDS)));
}

test('[I613] accounts older than the index are indexed; those that change during the run are indexed with their new names', async () => {
  const recordStore = await openOldRecords();
  const indexing = openIndexing(recordStore);
  const done = indexing.index(projectScope('demo'));
  for (const [index, name] of [
    [0, 'Changed First'],
    [COUNT - 1, 'Changed Last'],
  ] as const)
    await save(recordStore, person(index, name));
  await recordStore.change((transaction) => removeAccount(transaction.records(RECORDS), person(120)));
  await done;
  expect(stateOf(recordStore).kind).toBe('complete');
  expect(problemsOf(recordStore)).toEqual([]);
  const entries = recordStore.read((view) =>
    view.records(RECORDS).listKeys(['names'], { prefix: 'changed', limit: 9 }),
  );
  expect(entries.map(uidOfEntry)).toEqual(['u0000', 'u0229']);
});

test('[I613] the latest accounts are not listed until all accounts are indexed', async () => {
  const recordStore = await openOldRecords();
  const directory = new AccountDirectory(recordStore);
  const latest = () => directory.listLatest(projectScope('demo'), 'created', { after: null, limit: 2 });
  expect(latest).toThrow('are being indexed');
  await openIndexing(recordStore).index(projectScope('demo'));
  expect(latest().accounts).toMatchObject([{ localId: 'u0229' }, { localId: 'u0228' }]);
  expect(
    new AccountDirectory(memoryRecordStore()).listLatest(projectScope('demo'), 'seen', {
      after: null,
      limit: 2,
    }),
  ).toEqual({
    accounts: [],
    next: null,
  });
});

test('[I613] an interrupted run continues where it stopped', async () => {
  const recordStore = await openOldRecords();
  const broken = openIndexing(recordStore);
  const done = broken.index(projectScope('demo'));
  broken[Symbol.dispose]();
  await expect(done).rejects.toThrow('unavailable');
  expect(stateOf(recordStore)).toEqual({ kind: 'incomplete', phase: 'accounts', after: 'u0049' });
  await openIndexing(recordStore).index(projectScope('demo'));
  expect(stateOf(recordStore).kind).toBe('complete');
  expect(problemsOf(recordStore)).toEqual([]);
});

test('[I636] accounts that are added or removed before an interrupted run continues are counted correctly', async () => {
  const recordStore = await openOldRecords();
  const broken = openIndexing(recordStore);
  const done = broken.index(projectScope('demo'));
  broken[Symbol.dispose]();
  await expect(done).rejects.toThrow('unavailable');
  for (const uid of ['7', 'u0000a', 'u0049', 'u0050a', 'z'])
    await save(recordStore, { ...emptyAccount(uid, 5), displayName: uid });
  for (const index of [3, 100])
    await recordStore.change((transaction) => removeAccount(transaction.records(RECORDS), person(index)));
  expect(await countAccounts(recordStore, projectScope('demo'))).toBe(COUNT + 2);
  await openIndexing(recordStore).index(projectScope('demo'));
  expect(recordStore.read((view) => findCount(view.records(RECORDS)))).toBe(COUNT + 2);
  expect(problemsOf(recordStore)).toEqual([]);
});

test.each<[string, boolean, (records: RecordTransaction) => void]>([
  ['adds an account without the index', false, (records) => writeWithoutIndex(records, person(COUNT))],
  [
    'changes a name without the index',
    false,
    (records) => writeWithoutIndex(records, person(2, 'Another Name')),
  ],
  ['removes an account without the index', false, (records) => records.write(['accounts', 'u0002'], null)],
  ['writes nothing', true, () => undefined],
  ['updates the index', true, (records) => removeAccount(records, person(2))],
  [
    'leaves a shorter log',
    false,
    (records) => writeIndexState(records, { kind: 'complete', commit: 1_000_000 }),
  ],
])(
  '[I637] after another release %s, the index is complete (without a rebuild: %s)',
  async (name, isKept, act) => {
    const recordStore = await openOldRecords();
    await openIndexing(recordStore).index(projectScope('demo'));
    await recordStore.change((transaction) => act(transaction.records(RECORDS)));
    const reported: string[] = [];
    const logger = createLogger('warn', { write: (line: string) => reported.push(line) > 0 });
    await new AccountIndexing({ recordStore, logger }).index(projectScope('demo'));
    expect(reported.length).toBe(isKept ? 0 : 1);
    expect(problemsOf(recordStore)).toEqual([]);
    expect(stateOf(recordStore).kind, name).toBe('complete');
  },
);

test('[I637] the state of the index records the current commit from time to time', async () => {
  const recordStore = memoryRecordStore();
  const indexing = openIndexing(recordStore);
  indexing.start([]);
  const recorded = Promise.withResolvers<void>();
  recordStore.watch((_records, [kind]) => {
    if (kind === 'indexed' && indexedCommitOf(recordStore) > 0) recorded.resolve();
  });
  for (let step = 0; step < 30; step++)
    await recordStore.change((transaction) => {
      for (let index = 0; index < 50; index++)
        saveAccount(transaction.records(RECORDS), undefined, person(step * 50 + index));
    });
  await recorded.promise;
  expect(indexedCommitOf(recordStore)).toBeGreaterThan(20);
});

test('[I613] a project without accounts has no record store, and its index is complete from the first account on', async () => {
  const recordStore = memoryRecordStore();
  await openIndexing(recordStore).index(projectScope('demo'));
  expect(stateOf(recordStore).kind).toBe('incomplete');
  await recordStore.change((transaction) => saveAccount(transaction.records(RECORDS), undefined, person(1)));
  expect(stateOf(recordStore).kind).toBe('complete');
});

test('[I618] a project whose accounts cannot be indexed is logged, and the others are indexed', async () => {
  const recordStore = await openOldRecords();
  await recordStore.change((transaction) => {
    transaction.records(accountRecords(projectScope('damaged'))).write(['accounts', 'u'], 'no account');
  });
  const reported: string[] = [];
  const done = Promise.withResolvers<void>();
  recordStore.watch((records, [kind]) => {
    if (records === RECORDS && kind === 'indexed' && stateOf(recordStore).kind === 'complete') done.resolve();
  });
  const logger = createLogger('error', { write: (line: string) => reported.push(line) > 0 });
  new AccountIndexing({ recordStore, logger }).start([projectScope('damaged'), projectScope('demo')]);
  await done.promise;
  expect(stateOf(recordStore).kind).toBe('complete');
  expect(reported.join('')).toContain('"project":"damaged"');
});
