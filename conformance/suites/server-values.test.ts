import {
  get,
  increment,
  push,
  runTransaction,
  serverTimestamp,
  set,
  setPriority,
  setWithPriority,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { latestValue, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { disconnect, freshRef, openClient, openPair, reconnect, sameRef, settle } from '../drivers/sdk.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[S88] a server timestamp becomes a whole number of milliseconds', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, serverTimestamp());
    const read = (await get(sameRef(reader, at))).val();
    expect(read).toSatisfy(Number.isInteger);
    expect(read).toBeGreaterThan(1_600_000_000_000);
  });

  test('[S89] all timestamps of one write are equal, including those in priorities', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, {
      a: serverTimestamp(),
      b: { c: serverTimestamp(), '.priority': serverTimestamp() },
      d: { '.value': 1, '.priority': serverTimestamp() },
    });
    const read = await get(sameRef(reader, at));
    const a = read.child('a').val();
    expect(a).toBeTypeOf('number');
    expect([read.child('b/c').val(), read.child('b').priority, read.child('d').priority]).toEqual([a, a, a]);
  });

  test('[S90] an update may contain timestamps, at deep paths and as priorities', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await update(at, { 'a/b': serverTimestamp(), c: { '.value': 1, '.priority': serverTimestamp() } });
    const read = await get(sameRef(reader, at));
    const stamp = read.child('a/b').val();
    expect(stamp).toBeTypeOf('number');
    expect(read.child('c').priority).toBe(stamp);
  });

  test('[S91] a timestamp can be a priority', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'x');
    // The typings of the SDK do not allow server values as priorities, but its code does.
    await setPriority(at, serverTimestamp() as unknown as number);
    expect((await get(sameRef(reader, at))).priority).toBeTypeOf('number');
  });

  test('[S92] a timestamp in a transaction is resolved by the server', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const result = await runTransaction(at, () => ({ at: serverTimestamp() }));
    const read = (await get(sameRef(reader, at))).val();
    expect(read).toEqual({ at: expect.any(Number) });
    expect(result.snapshot.val()).toEqual({ at: expect.any(Number) });
  });

  test('[S93] a listener of the writer sees the estimate of the client, then at most one correction', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(at);
    await log.untilEqual([['value', at.key, null]]);
    log.clear();
    const written = set(at, serverTimestamp());
    expect(log.events).toEqual([['value', at.key, expect.any(Number)]]);
    await written;
    await settle(writer);
    expect(log.events.length).toBeLessThanOrEqual(2);
    expect(latestValue(log)).toBe((await get(sameRef(reader, at))).val());
  });

  test('[S94] another client sees one event for a write with timestamps', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await log.untilEqual([['value', at.key, null]]);
    await set(at, { a: serverTimestamp(), b: serverTimestamp() });
    await settle(reader);
    expect(log.events).toHaveLength(2);
  });

  test('[S95] later writes have later or equal timestamps', async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    await Promise.all(Array.from({ length: 50 }, () => push(at, serverTimestamp())));
    const stamps = Object.values((await get(sameRef(openClient(ns), at))).val() ?? {});
    expect(stamps).toHaveLength(50);
    expect(stamps).toEqual(stamps.toSorted((a, b) => Number(a) - Number(b)));
  });

  test.each([
    [null, 5, 5],
    [1, 2, 3],
    [1, -3, -2],
    [1, 0.5, 1.5],
    [0.5, 0.5, 1],
    [Number.MAX_SAFE_INTEGER - 1, 1, Number.MAX_SAFE_INTEGER],
    [2 ** 62, 2 ** 62, 2 ** 63],
    [-(2 ** 62), -(2 ** 63), -(2 ** 62) * 3],
    [1e300, 1, 1e300],
    ['text', 4, 4],
    [true, 4, 4],
    [{ a: 1 }, 4, 4],
  ])('[S96] %j incremented by %j is %j', async (base, delta, expected) => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, base);
    await set(at, increment(delta));
    expect((await get(sameRef(reader, at))).val()).toBe(expected);
  });

  test('[S97] an increment at a path with a listener fires one event, with the sum', async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    await set(at, 5);
    const log = recordValues(at);
    await untilValue(log, 5);
    await set(at, increment(2));
    await settle(db);
    expect(log.events.map(([, , value]) => value)).toEqual([5, 7]);
  });

  test('[S98] increments in a sparse update add to the current values', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: { c: 10 } });
    await update(at, { a: increment(1), 'b/c': increment(-1), 'd/e': increment(7) });
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 2, b: { c: 9 }, d: { e: 7 } });
  });

  test('[S99] an increment inside a replaced object adds to the previous value', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { n: 5 }, b: 1 });
    await set(at, { a: { n: increment(3) } });
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: { n: 8 } });
  });

  test('[S100] concurrent increments of two clients lose nothing', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await Promise.all(
      Array.from({ length: 50 }, () => [
        set(at, increment(1)),
        set(sameRef(reader, at), increment(2)),
      ]).flat(),
    );
    expect((await get(sameRef(openClient(ns), at))).val()).toBe(150);
  });

  test('[S101] a priority can be incremented, from no priority and from a number', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    // The typings of the SDK do not allow server values as priorities, but its code does.
    const two = increment(2) as unknown as number;
    await setWithPriority(at, 1, two);
    expect((await get(sameRef(reader, at))).priority).toBe(2);
    await setPriority(at, two);
    expect((await get(sameRef(openClient(ns), at))).priority).toBe(4);
  });

  test('[S102] an increment made offline adds to the value that the server has when the increment arrives', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 1);
    await settle(reader);
    await disconnect(reader);
    const added = set(sameRef(reader, at), increment(1));
    await set(at, 10);
    await reconnect(reader);
    await added;
    expect((await get(sameRef(openClient(ns), at))).val()).toBe(11);
  });
});
