import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { beforeEach, expect, test } from 'vitest';
import type { AuthorizationRequest } from '../../access/authorization-request.ts';
import type { Clock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestAdmission, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { readRequest, roomRules, writeRequest } from '../denials/authorization-request.fixture.ts';
import { OperationRecorder, RING_BOUND } from './recorder.ts';
import { Replay } from './replay.ts';

const RULES = roomRules({ '.read': true, '.write': 'auth != null' });
const STRICT = roomRules({ '.read': 'auth != null', '.write': "data.child('owner').val() == auth.uid" });
const BEFORE = '{"rooms":{"r1":{"owner":"u1"}}}';

let store: KvStore;
let clock: Clock;
let scheduler: TransactionScheduler;
let recorder: OperationRecorder;
let replay: Replay;
/** The next random number, and the current tree as JSON. */
let chance: number;
let current: string;
let elapsedMs: () => number;
let transactions: number;

beforeEach(() => {
  store = new MemoryStore();
  chance = 0;
  current = 'null';
  elapsedMs = () => 0;
  transactions = 0;
  const logger = createLogger('silent', { write: () => undefined });
  clock = { nowMs: () => 0, elapsedMs: () => elapsedMs() };
  scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  recorder = openRecorder();
  replay = new Replay({
    scheduler,
    clock,
    recorder,
    places: openTestAdmission().replays,
    findState: () => {
      transactions++;
      return { rules: parseRules(RULES), tree: new NodeTree(parseNodeJson(current)) };
    },
  });
});

function openRecorder(isOnAtFirst = true): OperationRecorder {
  return new OperationRecorder({ store, scheduler, clock, chance: () => chance, isOnAtFirst });
}

/** Submits an operation `count` times. Returns how many were recorded. */
function record(request: AuthorizationRequest, count = 1, database = 'db'): Promise<number> {
  return scheduler.request((transaction) => {
    let recorded = 0;
    for (let i = 0; i < count; i++) {
      if (!recorder.shouldRecord(transaction, database)) continue;
      recorder.record(transaction, database, request);
      recorded++;
    }
    return recorded;
  });
}

const anonymousRead = readRequest(RULES, '/rooms/r1', BEFORE, null);
const ownWrite = writeRequest(RULES, { '/rooms/r1': '{"title":"x"}' }, BEFORE);
const foreignWrite = writeRequest(RULES, { '/rooms/r1/title': '"x"' }, BEFORE, { uid: 'u2' });

test('[R185][R186] changed decisions are counted by the deciding rule of the draft', async () => {
  current = BEFORE;
  await record(anonymousRead, 7);
  await record(foreignWrite, 2);
  await record(readRequest(RULES, '/rooms/r1', BEFORE), 3);
  const report = await replay.run(TEST_HOLDER, 'db', STRICT);
  expect(report).toMatchObject({
    operations: 12,
    notRecorded: 0,
    allowedToDenied: [
      { rule: { kind: 'read', location: '/rooms/$id', text: 'auth != null' }, count: 7 },
      { rule: { kind: 'write', location: '/rooms/$id' }, count: 2 },
    ],
    deniedToAllowed: [],
  });
  expect(report.allowedToDenied.map(({ examples }) => examples.length)).toEqual([5, 2]);
  expect(report.allowedToDenied[1]?.examples[0]).toEqual({
    as: { uid: 'u2' },
    write: '/rooms/r1/title',
    value: 'x',
    now: foreignWrite.operation.kind === 'write' ? foreignWrite.operation.write.now : 0,
    data: { rooms: { r1: { owner: 'u1' } } },
    expect: 'allow',
  });
});

test('[R186] if no rule could grant the operation, the rule is null', async () => {
  await record(anonymousRead);
  expect((await replay.run(TEST_HOLDER, 'db', '{"rules":{}}')).allowedToDenied).toMatchObject([
    { rule: null, count: 1 },
  ]);
});

test('[R185] operations that only the draft allows are reported separately', async () => {
  await record(writeRequest(RULES, { '/rooms/r1': '1' }, 'null', null));
  const open = '{"rules":{".read":true,".write":true}}';
  expect(await replay.run(TEST_HOLDER, 'db', open)).toMatchObject({
    allowedToDenied: [],
    deniedToAllowed: [{ rule: { kind: 'write', location: '/' }, count: 1, examples: [{ expect: 'deny' }] }],
  });
});

test('[R184] a write is decided on the earlier value at its path, in every replay', async () => {
  await record(ownWrite);
  current = '{"rooms":{"r1":{"title":"x"}}}';
  for (let i = 0; i < 2; i++)
    expect(await replay.run(TEST_HOLDER, 'db', STRICT)).toMatchObject({ operations: 1, allowedToDenied: [] });
});

test('[R183] writes of long values, and writes that replace long values, are only counted', async () => {
  const long = JSON.stringify('x'.repeat(4_100));
  await record(writeRequest(RULES, { '/rooms/r1': long }));
  await record(writeRequest(RULES, { '/rooms/r1': 'null' }, `{"rooms":{"r1":{"text":${long}}}}`));
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`/rooms/r${i}`, '1']));
  await record(writeRequest(RULES, many));
  expect(await replay.run(TEST_HOLDER, 'db', RULES)).toMatchObject({ operations: 0, notRecorded: 3 });
});

test('[R182] a random share of the operations is recorded', async () => {
  expect(await recorder.changeSettings('db', { share: 0.25 })).toEqual({ isOn: true, share: 0.25 });
  chance = 0.2499;
  expect(await record(anonymousRead, 2)).toBe(2);
  chance = 0.25;
  expect(await record(anonymousRead, 2)).toBe(0);
});

test('[R182] recording is off by default outside development mode, and a change of the setting is stored', async () => {
  expect(openRecorder(false).readSettings('db')).toEqual({ isOn: false, share: 1 });
  await recorder.changeSettings('db', { isOn: false });
  expect(await record(anonymousRead)).toBe(0);
  expect(openRecorder(true).readSettings('db').isOn).toBe(false);
});

test('[R182] switching recording off removes the recorded operations', async () => {
  await record(anonymousRead);
  await recorder.changeSettings('db', { isOn: false });
  expect(recorder.read('db')).toEqual({ operations: [], notRecorded: 0, sampledOut: 0 });
});

test.each([[{ share: 1.1 }], [{ share: -1 }], [{ isOn: 'yes' }], [{ rate: 1 }], [null]])(
  '[R182] invalid settings are rejected: %j',
  async (settings) => {
    await expect(recorder.changeSettings('db', settings)).rejects.toThrow('"isOn" must be true or false');
  },
);

test('[R181] a ring holds the latest 5,000 operations', async () => {
  await record(anonymousRead, RING_BOUND.count);
  elapsedMs = () => 1_000;
  expect(await record(anonymousRead, 10)).toBe(10);
  expect(recorder.read('db').operations).toHaveLength(RING_BOUND.count);
});

test('[R182] of each database, a burst of 5,000 operations is recorded, and then 500 a second; the others are counted', async () => {
  expect(await record(anonymousRead, 5_002)).toBe(5_000);
  expect(await record(anonymousRead, 1, 'other')).toBe(1);
  elapsedMs = () => 1_000;
  expect(await record(anonymousRead, 501)).toBe(500);
  const { operations, sampledOut } = await replay.run(TEST_HOLDER, 'db', RULES);
  expect({ operations, sampledOut }).toEqual({ operations: 5_000, sampledOut: 3 });
});

test('[R181] with too many databases, the operations of the least recently used ones are removed', async () => {
  for (let i = 0; i <= 1_000; i++) await record(anonymousRead, 1, `db-${i}`);
  expect(recorder.read('db-0').operations).toEqual([]);
  expect(recorder.read('db-1').operations).toHaveLength(1);
});

test('[R181] if all operations take more than 64 MiB, those of the least recently used database are removed', async () => {
  const value = JSON.stringify('x'.repeat(4_000));
  const long = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`/rooms/r${i}`, value]));
  for (const name of ['a', 'b', 'c', 'd']) await record(writeRequest(RULES, long), 300, name);
  const counts = ['a', 'b', 'c', 'd'].map((name) => recorder.read(name).operations.length);
  // Each database has reached its limit of 16 MiB.
  for (const count of counts) expect(count).toBeLessThan(300);
  await record(writeRequest(RULES, long), 300, 'e');
  expect(recorder.read('a').operations).toEqual([]);
  expect(recorder.read('b').operations).toHaveLength(counts[1] ?? 0);
});

test('[R188] operations of a transaction that fails are not recorded', async () => {
  const failing = scheduler.request((transaction) => {
    recorder.record(transaction, 'db', anonymousRead);
    recorder.record(transaction, 'db', writeRequest(RULES, { '/a': JSON.stringify('x'.repeat(5_000)) }));
    throw new Error('a bug');
  });
  await expect(failing).rejects.toThrow();
  expect(recorder.read('db')).toEqual({ operations: [], notRecorded: 0, sampledOut: 0 });
});

test('[R189] a replay runs in steps, each in a separate transaction', async () => {
  await record(anonymousRead, 10);
  let nowMs = 0;
  elapsedMs = () => nowMs++;
  await replay.run(TEST_HOLDER, 'db', STRICT);
  expect(transactions).toBeGreaterThan(1);
});

test('[R189][H554] one member runs one replay at a time, and a network that runs all loses one to another', async () => {
  await record(anonymousRead, 10);
  let nowMs = 0;
  elapsedMs = () => nowMs++;
  const run = (network: string, identity: string) =>
    replay.run({ network, isPrivileged: false, identity }, 'db', STRICT);
  const first = run('n1', 'ann');
  await expect(run('n2', 'ann')).rejects.toThrow('You already have 1 replays');
  const others = [run('n1', 'ben'), run('n2', 'eve')];
  await expect(first).rejects.toThrow('Another administrator needed the place');
  await expect(Promise.all(others)).resolves.toHaveLength(2);
});

test('[R189] a third concurrent replay is rejected, and so are invalid rules', async () => {
  await record(anonymousRead);
  const running = [replay.run(TEST_HOLDER, 'db', RULES), replay.run(TEST_HOLDER, 'db', RULES)];
  await expect(replay.run(TEST_HOLDER, 'db', RULES)).rejects.toThrow('There are already 2 replays');
  await Promise.all(running);
  await expect(replay.run(TEST_HOLDER, 'db', '{}')).rejects.toThrow("Expected 'rules' property.");
  await expect(replay.run(TEST_HOLDER, 'db', RULES)).resolves.toMatchObject({ operations: 1 });
});
