import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { Databases } from '../database/registry.ts';
import { compareWrites, parseSet } from '../database/write-input.ts';
import type { TriggeredEvent } from './event.ts';
import { parseTrigger } from './trigger.ts';

const NAME = 'triggering';
let databases: Databases;
let received: TriggeredEvent[];

beforeEach(() => {
  received = [];
  const store = new SnapshotStore(new MemoryStore());
  const clock = { nowMs: () => 1_700_000_000_000, elapsedMs: () => 0 };
  const logger = createLogger('fatal', { write: () => true });
  databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler: new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger }),
    clock,
    logger,
    randomBytes: (count) => new Uint8Array(count),
    eventReceiver: { receive: (events) => received.push(...events) },
    newDatabaseRules: OPEN_RULES,
  });
});

function addTrigger(path: string, event = 'write', database = NAME): void {
  const name = `projects/p/locations/_/functions/${event}${path.replaceAll('/', '-')}`;
  const eventType = `providers/google.firebase.database/eventTypes/ref.${event}`;
  databases.administration.addTrigger(ADMIN, database, parseTrigger({ name, path, event: eventType }));
}

/** Writes an update of paths. Returns the events that functions received: kind, path, before, delta. */
async function write(
  update: Readonly<Record<string, unknown>>,
  options: { readonly identity?: Principal; readonly areTriggersDisabled?: boolean } = {},
) {
  received.length = 0;
  const writes = Object.entries(update).map(([path, value]) =>
    parseSet({ path: parsePath(path), isPriority: false }, value),
  );
  await databases.write(NAME, {
    operation: 'PUT',
    identity: ADMIN,
    ...options,
    writes: writes.sort(compareWrites),
  });
  return received.map(({ trigger, path, before, delta }) => [
    trigger.eventType.split('.').at(-1),
    formatPath(path),
    JSON.parse(before),
    JSON.parse(delta),
  ]);
}

test('[H89] a function gets one event for each path of its pattern that a write changes, at, above or below it', async () => {
  addTrigger('/rooms/{room}/seats/{seat}');
  const rooms = { r1: { seats: { a: 1, b: 2 }, name: 'x' }, r2: { seats: { a: 3 } } };
  expect(await write({ rooms })).toEqual([
    ['write', 'rooms/r1/seats/a', null, 1],
    ['write', 'rooms/r1/seats/b', null, 2],
    ['write', 'rooms/r2/seats/a', null, 3],
  ]);
  expect(await write({ 'rooms/r1/name': 'y' })).toEqual([]);
  expect(await write({ 'rooms/r1/seats/a': 1 })).toEqual([]);
  expect(await write({ 'rooms/r1/seats/a/x': 1, 'rooms/r1/seats/a/y': 2, 'rooms/r2/seats/a': null })).toEqual(
    [
      ['write', 'rooms/r2/seats/a', 3, null],
      ['write', 'rooms/r1/seats/a', 1, { x: 1, y: 2 }],
    ],
  );
  expect(await write({ 'rooms/r1/seats/a/x': 5 })).toEqual([
    ['write', 'rooms/r1/seats/a', { x: 1, y: 2 }, { x: 5 }],
  ]);
  expect(await write({ '': { rooms: { r1: { seats: { b: 2, c: 7 } } } } })).toEqual([
    ['write', 'rooms/r1/seats/a', { x: 5, y: 2 }, null],
    ['write', 'rooms/r1/seats/c', null, 7],
  ]);
  expect(await write({ elsewhere: 1 })).toEqual([]);
});

test('[H89] a function gets only events of its kind', async () => {
  for (const event of ['create', 'update', 'delete']) addTrigger('/{any}', event);
  expect(await write({ a: 1 })).toEqual([['create', 'a', null, 1]]);
  expect(await write({ a: 2 })).toEqual([['update', 'a', 1, 2]]);
  expect(await write({ a: null })).toEqual([['delete', 'a', 2, null]]);
  expect(await write({ a: null })).toEqual([]);
});

test('[H89] a trigger applies to its database or to the databases that match its pattern, and replaces a trigger of the same name', async () => {
  addTrigger('/a', 'write', 'other');
  expect(await write({ a: 1 })).toEqual([]);
  const name = 'projects/p/locations/us-central1/triggers/f';
  const event = 'google.firebase.database.ref.v1.written';
  for (const path of ['/old', '/b'])
    databases.administration.addTrigger(
      ADMIN,
      'other',
      parseTrigger({ name, path, event, namespacePattern: 'trig*' }),
    );
  expect(await write({ b: 1, old: 1 })).toEqual([['written', 'b', null, 1]]);
});

test('[H91] only an administrator can write without triggering functions', async () => {
  addTrigger('/a');
  expect(await write({ a: 1 }, { areTriggersDisabled: true })).toEqual([]);
  expect(await write({ a: 2 }, { areTriggersDisabled: true, identity: ANONYMOUS })).toEqual([
    ['write', 'a', 1, 2],
  ]);
});

const MANY = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`key ${at}`, at]));
const LARGE = 'x'.repeat(2 ** 20);

test.each<readonly [string, unknown]>([
  ['more than a thousand functions', MANY],
  ['a function with more than 1 MB', { large: LARGE }],
])(
  '[H92] a strict database rejects a write that would trigger %s; other databases drop the excess',
  async (_case, value) => {
    addTrigger('/list/{item}');
    await expect(write({ list: value })).rejects.toMatchObject({ code: 'write/trigger-too-big' });
    await databases.administration.changeSettings(ADMIN, NAME, { strictTriggerValidation: false });
    const reported = await write({ list: value, list2: 1 });
    expect(reported).toHaveLength(value === MANY ? 1_000 : 0);
    await databases.administration.changeSettings(ADMIN, NAME, { strictTriggerValidation: true });
    await expect(write({ list: null })).rejects.toMatchObject({ code: 'write/trigger-too-big' });
  },
);

test('[H91] a rejected write triggers nothing', async () => {
  addTrigger('/a');
  await databases.writeRules(NAME, ADMIN, '{"rules":{}}');
  await expect(write({ a: 1 }, { identity: ANONYMOUS })).rejects.toThrow('Permission denied');
  expect(received).toEqual([]);
});

test.each<readonly [string, readonly string[]]>([
  ['one trigger', ['/list/{item}']],
  ['triggers together', ['/list/{item}', '/{any}/{item}', '/list/{other}']],
])('[H92] %s can receive up to 32 MiB of old and new values of a write', async (_case, patterns) => {
  for (const pattern of patterns) addTrigger(pattern);
  const list = (count: number): unknown =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, 'x'.repeat(2 ** 20 - 1000)]));
  const most = Math.floor(32 / patterns.length);
  expect(await write({ list: list(most) })).toHaveLength(most * patterns.length);
  // Now the write would also have to read the old values.
  await expect(write({ list: list(most) })).rejects.toMatchObject({ code: 'write/trigger-too-big' });
  await databases.administration.changeSettings(ADMIN, NAME, { strictTriggerValidation: false });
  const reported = await write({ list: null });
  expect(reported.length).toBeGreaterThan(0);
  expect(reported.length).toBeLessThanOrEqual(33);
});

test('[H92] the search for watched paths ends at the limit, even if it finds no path', async () => {
  for (let at = 0; at < 100; at += 1) addTrigger(`/{a}/{b}/{c${at}}/{d}`);
  await databases.administration.changeSettings(ADMIN, NAME, { strictTriggerValidation: false });
  const inner = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at]));
  const outer = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, inner]));
  await write({ list: outer, list2: outer });
  await databases.administration.changeSettings(ADMIN, NAME, { strictTriggerValidation: true });
  await expect(write({ '': null })).rejects.toMatchObject({ code: 'write/trigger-too-big' });
});
