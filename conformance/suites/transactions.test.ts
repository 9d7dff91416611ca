import {
  child,
  get,
  goOnline,
  limitToLast,
  onValue,
  orderByKey,
  query,
  remove,
  runTransaction,
  set,
  setWithPriority,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { latestValue, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { disconnect, freshRef, hijackHash, openClient, openPair, sameRef, settle } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

describe('Transactions', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  const add = (step: number) => (value: unknown) => Number(value ?? 0) + step;

  test('[S161] a transaction at a missing node creates the value in one or two calls', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const seen: unknown[] = [];
    const result = await runTransaction(at, (value: unknown) => {
      seen.push(value);
      return 42;
    });
    expect([result.committed, result.snapshot.val()]).toEqual([true, 42]);
    expect(seen.length).toBeLessThanOrEqual(2);
    expect(seen.every((value) => value === null)).toBe(true);
    expect((await get(sameRef(reader, at))).val()).toBe(42);
  });

  test('[S162] a transaction of a client without data is called with null, then with the current data', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { n: 4 });
    const seen: unknown[] = [];
    const result = await runTransaction(sameRef(reader, at), (value: { n: number } | null) => {
      seen.push(value);
      return { n: (value?.n ?? 0) + 1 };
    });
    expect(seen).toEqual([null, { n: 4 }]);
    expect(result.snapshot.val()).toEqual({ n: 5 });
  });

  test("[S163] a transaction of a client that listens is called once, with the client's data", async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 4);
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, 4);
    const seen: unknown[] = [];
    await runTransaction(sameRef(reader, at), (value: unknown) => {
      seen.push(value);
      return 5;
    });
    expect(seen).toEqual([4]);
    expect(log.events.map(([, , value]) => value)).toEqual([4, 5]);
  });

  test('[S164] a transaction that returns nothing is aborted and changes nothing', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 4);
    const log = recordValues(at);
    await untilValue(log, 4);
    const result = await runTransaction(at, () => undefined);
    expect([result.committed, result.snapshot.val()]).toEqual([false, 4]);
    expect((await get(sameRef(reader, at))).val()).toBe(4);
  });

  test('[S165] a transaction may abort when it sees the data of the server', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'taken');
    const result = await runTransaction(sameRef(reader, at), (value: unknown) =>
      value === null ? 'mine' : undefined,
    );
    expect([result.committed, result.snapshot.val()]).toEqual([false, 'taken']);
    expect((await get(at)).val()).toBe('taken');
  });

  test('[S166] fifty transactions of each of two clients all take effect', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const results = await Promise.all(
      Array.from({ length: 50 }, () => [
        runTransaction(at, add(1)),
        runTransaction(sameRef(reader, at), add(100)),
      ]).flat(),
    );
    expect(results.every(({ committed }) => committed)).toBe(true);
    expect((await get(sameRef(openClient(ns), at))).val()).toBe(50 + 5000);
  });

  test('[S167] when another client writes first, a transaction runs again on the newer data', async () => {
    const tap = await tapServer();
    const slow = openClient(ns, { url: tap.url });
    const other = openClient(ns);
    const at = freshRef(other);
    await set(at, 1);
    const log = recordValues(sameRef(slow, at));
    await untilValue(log, 1);
    await tap.hold();
    await set(at, 10);
    const seen: unknown[] = [];
    const running = runTransaction(sameRef(slow, at), (value: unknown) => {
      seen.push(value);
      return add(1)(value);
    });
    await tap.untilMessage(({ action, body }) => action === 'p' && body['h'] !== undefined);
    await tap.release();
    const result = await running;
    expect(seen).toEqual([1, 10]);
    expect(result.snapshot.val()).toBe(11);
  });

  test('[S168] transactions chained at one path run in order, each on the result of the previous one', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        runTransaction(at, (text: string | null) => `${text ?? ''}${letter}`),
      ),
    );
    expect(results.map(({ snapshot }) => snapshot.val())).toEqual(['a', 'ab', 'abc', 'abcd']);
    expect((await get(sameRef(reader, at))).val()).toBe('abcd');
  });

  test('[S169] transactions at a path and below it all take effect', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: { c: 2 } });
    await Promise.all([
      runTransaction(child(at, 'a'), add(10)),
      runTransaction(at, (value: object | null) => ({ ...value, d: 1 })),
      runTransaction(child(at, 'b/c'), add(10)),
    ]);
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 11, b: { c: 12 }, d: 1 });
  });

  test('[S170] a transaction builds on an unacknowledged write of its client', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(at);
    await log.untilEqual([['value', at.key, null]]);
    const written = set(at, 5);
    const result = await runTransaction(at, add(1));
    await written;
    expect(result.snapshot.val()).toBe(6);
    expect((await get(sameRef(reader, at))).val()).toBe(6);
  });

  test('[S171] a set cancels the transactions that wait at its path', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const sent = runTransaction(at, () => 'sent');
    const waiting = runTransaction(at, () => 'waiting');
    const canceled = expect(waiting).rejects.toThrow('set');
    const written = set(at, 'set');
    await canceled;
    await sent;
    await written;
    expect((await get(sameRef(reader, at))).val()).toBe('set');
  });

  test('[S172] an update of unrelated children does not cancel a transaction', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const running = runTransaction(child(at, 'counter'), add(1));
    await update(at, { other: 1 });
    expect((await running).committed).toBe(true);
    expect((await get(sameRef(reader, at))).val()).toEqual({ counter: 1, other: 1 });
  });

  test('[S173] a set inside a listener that a transaction fires is applied after the transaction', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    let copied: Promise<void> | undefined;
    onValue(child(at, 'source'), (snapshot) => {
      if (snapshot.exists()) copied = set(child(at, 'copy'), snapshot.val());
    });
    await runTransaction(child(at, 'source'), () => 'x');
    await copied;
    expect((await get(sameRef(reader, at))).val()).toEqual({ source: 'x', copy: 'x' });
  });

  test('[S174] a transaction whose hash never matches fails with maxretry after 25 attempts', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    await set(at, 1);
    hijackHash('wrong');
    await expect(runTransaction(at, () => 2)).rejects.toThrow('maxretry');
    const attempts = (await tap.messages()).filter(
      ({ action, body }) => action === 'p' && body['h'] === 'wrong',
    );
    expect(attempts).toHaveLength(25);
    expect((await get(sameRef(openClient(ns), at))).val()).toBe(1);
  });

  test('[S175] a transaction whose response was lost with the connection fails with disconnect', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    const log = recordValues(at);
    await log.untilEqual([['value', at.key, null]]);
    await settle(db);
    await tap.hold();
    const running = runTransaction(at, () => 1);
    const failed = expect(running).rejects.toThrow('disconnect');
    await tap.untilMessage(({ action, body }) => action === 'p' && body['h'] !== undefined);
    await tap.cut();
    await failed;
    await tap.release();
  });

  test('[S176] a transaction started offline runs when the client reconnects', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 1);
    await settle(reader);
    await disconnect(reader);
    const running = runTransaction(sameRef(reader, at), add(1));
    goOnline(reader);
    expect((await running).snapshot.val()).toBe(2);
  });

  test('[S177] a transaction that returns a value keeps the priority of its node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, 1, 'p');
    await runTransaction(sameRef(reader, at), add(1));
    expect((await get(sameRef(openClient(ns), at))).exportVal()).toEqual({ '.value': 2, '.priority': 'p' });
  });

  test('[S178] a transaction may set priorities', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1 }, 1);
    const value = { '.priority': 2, a: { '.value': 3, '.priority': 'x' } };
    await runTransaction(sameRef(reader, at), () => value);
    expect((await get(sameRef(openClient(ns), at))).exportVal()).toEqual(value);
  });

  test.each([
    ['unicode', { text: '✔ 🐵 🌴 x͢ ü', 'kéy ✔': { '🐵': '"quoted"' } }],
    ['whole-number keys', { 1: 'one', 2: 'two', 10: 'ten', '01': 'zero one', '-3': 'minus' }],
    [
      'mixed priorities',
      {
        a: { '.value': 1, '.priority': 2 },
        b: { '.value': 2, '.priority': 1 },
        c: { x: 1, '.priority': 'z' },
      },
    ],
    // Not 2 ** 53 - 1: the SDK takes the exponent from a rounded logarithm, and hashes that number as 2 ** 53.
    ['numbers of every kind', { a: 0.1, b: 1e21, c: -5, d: 5e-324, e: 2 ** 40, f: 2 ** 53, g: 0 }],
    ['booleans and empty texts', { a: true, b: false, c: '', d: { e: '' } }],
  ])('[S179] client and server agree on the hash of data with %s', async (_, data) => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, data);
    const log = recordValues(sameRef(reader, at));
    await settle(reader);
    let calls = 0;
    const result = await runTransaction(sameRef(reader, at), (value: object) => {
      calls += 1;
      return { ...value, added: true };
    });
    expect([result.committed, calls]).toEqual([true, 1]);
    expect(latestValue(log)).toHaveProperty('added', true);
  });

  test('[S180] a transaction may delete its node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1 });
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: 1 });
    const result = await runTransaction(at, () => null);
    expect([result.committed, result.snapshot.val()]).toEqual([true, null]);
    await untilValue(log, null);
  });

  test('[S181] a transaction on data that another client deletes at the same time runs again with null', async () => {
    const tap = await tapServer();
    const slow = openClient(ns, { url: tap.url });
    const other = openClient(ns);
    const at = freshRef(other);
    await set(at, 'x');
    const log = recordValues(sameRef(slow, at));
    await untilValue(log, 'x');
    await tap.hold();
    await remove(at);
    const running = runTransaction(sameRef(slow, at), (value: unknown) => (value === null ? undefined : 'y'));
    await tap.untilMessage(({ action, body }) => action === 'p' && body['h'] !== undefined);
    await tap.release();
    const result = await running;
    expect([result.committed, result.snapshot.val()]).toEqual([false, null]);
  });

  test('[S182] a transaction at a child that a query of its client has loaded is called once, with the value of the child', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, { a: 1, b: 2, c: 3 });
    const seenAt = sameRef(reader, at);
    const log = recordValues(query(seenAt, orderByKey(), limitToLast(2)));
    await untilValue(log, { b: 2, c: 3 });
    const seen: unknown[] = [];
    await runTransaction(child(seenAt, 'c'), (value: unknown) => {
      seen.push(value);
      return 30;
    });
    expect(seen).toEqual([3]);
    await untilValue(log, { b: 2, c: 30 });
  });

  test('[S183] a transaction at a node that a query of its client has loaded in part gets the whole node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, { a: 1, b: 2, c: 3 });
    const seenAt = sameRef(reader, at);
    const log = recordValues(query(seenAt, limitToLast(1)));
    await untilValue(log, { c: 3 });
    const result = await runTransaction(seenAt, (value: Record<string, number> | null) =>
      value === null ? null : { ...value, d: 4 },
    );
    expect(result.snapshot.val()).toEqual({ a: 1, b: 2, c: 3, d: 4 });
    await untilValue(log, { d: 4 });
  });

  test('[S184] with `applyLocally: false`, a listener receives only the accepted result', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 1);
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, 1);
    await runTransaction(sameRef(reader, at), add(1), { applyLocally: false });
    await settle(reader);
    expect(log.events.map(([, , value]) => value)).toEqual([1, 2]);
  });
});
