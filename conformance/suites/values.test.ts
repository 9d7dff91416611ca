import { child, get, push, ref, remove, set, setWithPriority } from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, openPair, sameRef, settle } from '../drivers/sdk.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Writes a value with one client, and returns the value that another client reads. */
  async function roundTrip(value: unknown): Promise<unknown> {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, value);
    return (await get(sameRef(reader, at))).val();
  }

  test.each([
    true,
    false,
    0,
    -1,
    42,
    1.5,
    -0.1,
    1e-7,
    1e21,
    5e-324,
    1.7976931348623157e308,
    2 ** 40,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ])('[S23] a boolean or a number reads back exactly as written: %s', async (value) =>
    expect(await roundTrip(value)).toBe(value),
  );

  test.each([
    '',
    'hey guys',
    '"quoted" \\ back',
    'line\nbreak\ttab\u0000nul',
    'ünïcödé ✔ 🐵 𝒳',
    '\u2028\u2029',
    'null',
    '{"a":1}',
  ])('[S24] a text reads back exactly as written: %j', async (value) =>
    expect(await roundTrip(value)).toBe(value),
  );

  test('[S25] an object reads back with all its levels', async () => {
    const value = { a: { b: { c: 'deep' } }, n: 1, t: true, s: 'x' };
    expect(await roundTrip(value)).toEqual(value);
  });

  test('[S26] an array reads back as an array', async () => {
    expect(await roundTrip(['a', 'b', { c: 1 }])).toEqual(['a', 'b', { c: 1 }]);
  });

  test.each([[{}], [[]], [{ a: null }], [{ a: { b: null } }], [{ '.priority': 1 }]])(
    '[S27] writing the empty value %j deletes the node',
    async (empty) => {
      const { writer, reader } = openPair(ns);
      const at = freshRef(writer);
      await set(at, 'before');
      await set(at, empty);
      expect((await get(sameRef(reader, at))).exists()).toBe(false);
    },
  );

  test('[S28] writing null deletes the node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1 });
    await set(at, null);
    expect((await get(sameRef(reader, at))).exists()).toBe(false);
  });

  test('[S29] removing a node that does not exist is acknowledged', async () => {
    const at = freshRef(openClient(ns));
    await expect(remove(child(at, 'a/b'))).resolves.toBeUndefined();
  });

  test('[S30] deleting the last child removes the parents that it leaves empty', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(child(at, 'a/b/c'), 1);
    await set(child(at, 'x'), 1);
    await remove(child(at, 'a/b/c'));
    expect((await get(sameRef(reader, at))).val()).toEqual({ x: 1 });
  });

  test('[S31] a leaf replaces an object, and an object a leaf', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await set(at, { a: { b: 1 } });
    await set(at, 'leaf');
    await untilValue(log, 'leaf');
    await set(at, { c: 2 });
    await untilValue(log, { c: 2 });
  });

  test('[S32] a write below a leaf makes it an object that keeps the priority of the leaf', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, 'leaf', 7);
    await set(child(at, 'a'), 1);
    const read = await get(sameRef(reader, at));
    expect(read.exportVal()).toEqual({ a: 1, '.priority': 7 });
  });

  test('[S33] deleting below a leaf does not change the leaf', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'leaf');
    await remove(child(at, 'a/b'));
    expect((await get(sameRef(reader, at))).val()).toBe('leaf');
  });

  test.each([
    [{ 0: 'a', 1: 'b' }, ['a', 'b']],
    [{ 1: 'a', 2: 'b' }, [undefined, 'a', 'b']],
    [
      { 0: 'a', 7: 'b' },
      { 0: 'a', 7: 'b' },
    ],
    [
      { '-1': 'a', 0: 'b' },
      { '-1': 'a', 0: 'b' },
    ],
    [
      { '00': 'a', 1: 'b' },
      { '00': 'a', 1: 'b' },
    ],
  ])(
    '[S34] children %j read as an array only if their keys are dense whole numbers',
    async (value, expected) => {
      expect(await roundTrip(value)).toEqual(expected);
    },
  );

  test('[S35] the keys 1, 01 and 001 are three children', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(child(at, '1'), 'one');
    await set(child(at, '01'), 'zero one');
    await set(child(at, '001'), 'zero zero one');
    const read = await get(sameRef(reader, at));
    expect(keysOf(read)).toEqual(['1', '01', '001']);
    expect(read.child('01').val()).toBe('zero one');
  });

  test.each([
    ' leading',
    'trailing ',
    `it's`,
    '"quoted"',
    'back\\slash',
    'a,b:c;d',
    '{}',
    '✔ 🐵',
    'é',
    'e\u0301',
    '%20',
    '+',
    '&=?',
    '__proto__x',
    'constructor',
  ])('[S36] any printable character may be in a key: %j', async (key) => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { [key]: 1, z: { [key]: 2 } });
    const read = await get(sameRef(reader, at));
    expect(read.child(key).val()).toBe(1);
    expect(read.child('z').child(key).val()).toBe(2);
  });

  test('[S37] a key of 700 bytes is written and read', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const key = 'ü'.repeat(350);
    await set(child(at, key), 1);
    expect((await get(sameRef(reader, at))).val()).toEqual({ [key]: 1 });
  });

  test('[S38] data 32 levels deep is written, and reads back from the top', async () => {
    const own = await openNamespace();
    const { writer, reader } = openPair(own);
    const path = Array.from({ length: 32 }, (_, i) => `l${i}`).join('/');
    await set(ref(writer, path), 'bottom');
    expect((await get(ref(reader))).child(path).val()).toBe('bottom');
  });

  test('[S39] a text of a megabyte reads back', async () => {
    const text = 'é'.repeat(1_000_000);
    expect((await roundTrip(text)) === text).toBe(true);
  });

  test('[S40] writing an equal value again fires no event', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 5, b: { c: 'x' } });
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: 5, b: { c: 'x' } });
    await set(at, { a: 5.0, b: { c: 'x' } });
    await settle(reader);
    expect(log.events).toHaveLength(1);
  });

  test('[S41] a whole number may become a fraction and whole again, with or without a priority', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await log.untilEqual([['value', at.key, null]]);
    await set(at, 5);
    await set(at, 5.5);
    await set(at, 5);
    await setWithPriority(at, 5.5, 1);
    await setWithPriority(at, 5, 1);
    await untilValue(log, 5);
    await settle(reader);
    expect(log.events.map(([, , value]) => value)).toEqual([null, 5, 5.5, 5, 5.5, 5]);
  });

  test('[S42] listening to a node that does not exist gives one event with null', async () => {
    const db = openClient(ns);
    const log = recordValues(freshRef(db));
    await settle(db);
    expect(log.events.map(([, , value]) => value)).toEqual([null]);
  });

  test('[S43] children created by push arrive in the order in which they were created', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const keys = await Promise.all(Array.from({ length: 50 }, async (_, i) => (await push(at, i)).key));
    const read = await get(sameRef(reader, at));
    expect(keysOf(read)).toEqual(keys);
  });

  test('[S44] the priority of a deleted node does not return with the node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1 }, 3);
    await remove(child(at, 'a'));
    await set(child(at, 'a'), 2);
    expect((await get(sameRef(reader, at))).priority).toBeNull();
  });
});
