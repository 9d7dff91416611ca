import { child, get, off, onValue, ref, remove, set, update } from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { latestValue, recordAll, recordChildren, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, openPair, pathOf, sameRef, settle } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test("[S45] a client's own write fires one value event, and the response fires no other", async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    const log = recordValues(at);
    await log.untilEqual([['value', at.key, null]]);
    await set(at, { a: 1 });
    await settle(db);
    expect(log.events).toEqual([
      ['value', at.key, null],
      ['value', at.key, { a: 1 }],
    ]);
  });

  test("[S46] another client's write fires one value event", async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await log.untilEqual([['value', at.key, null]]);
    await set(at, { a: 1, b: { c: 2 } });
    await settle(reader);
    expect(log.events).toEqual([
      ['value', at.key, null],
      ['value', at.key, { a: 1, b: { c: 2 } }],
    ]);
  });

  test('[S47] existing children arrive as child_added in key order, each with its previous sibling, before the value event', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { b: 2, 10: 'x', a: 1, 9: 'y' });
    const log = recordAll(sameRef(reader, at));
    await log.untilEqual([
      ['added', '9', 'y', null],
      ['added', '10', 'x', '9'],
      ['added', 'a', 1, '10'],
      ['added', 'b', 2, 'a'],
      ['value', at.key, { 9: 'y', 10: 'x', a: 1, b: 2 }],
    ]);
  });

  test('[S48] child_added, child_changed and child_removed report the changes of another client', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, c: 3 });
    const log = recordChildren(sameRef(reader, at));
    await log.untilEqual([
      ['added', 'a', 1, null],
      ['added', 'c', 3, 'a'],
    ]);
    log.clear();
    await set(child(at, 'b'), 2);
    await set(child(at, 'a'), { deep: 1 });
    await remove(child(at, 'c'));
    await log.untilEqual([
      ['added', 'b', 2, 'a'],
      ['changed', 'a', { deep: 1 }],
      ['removed', 'c', 3],
    ]);
  });

  test('[S49] one write that adds, changes and removes children fires one value event', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 1 });
    const log = recordAll(sameRef(reader, at));
    await untilValue(log, { a: 1, b: 1 });
    log.clear();
    await set(at, { b: 2, c: 1 });
    await log.untilEqual([
      ['removed', 'a', 1],
      ['added', 'c', 1, 'b'],
      ['changed', 'b', 2],
      ['value', at.key, { b: 2, c: 1 }],
    ]);
  });

  test('[S50] a change deep in the tree fires events for listeners above it, and for those at its path', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { b: { c: 1 } }, z: 0 });
    const above = recordChildren(sameRef(reader, at));
    const own = recordValues(child(sameRef(reader, at), 'a/b/c'));
    await untilValue(own, 1);
    above.clear();
    await set(child(at, 'a/b/c'), 2);
    await untilValue(own, 2);
    expect(above.events).toEqual([['changed', 'a', { b: { c: 2 } }]]);
    expect(own.events).toHaveLength(2);
  });

  test('[S51] deleting a parent notifies the listeners below', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(child(at, 'a/b'), 1);
    const log = recordValues(child(sameRef(reader, at), 'a/b'));
    await untilValue(log, 1);
    await remove(at);
    await untilValue(log, null);
    await set(at, 'leaf');
    await settle(reader);
    expect(log.events).toHaveLength(2);
  });

  test('[S52] replacing a parent notifies only the listeners whose data changed', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 1 });
    const a = recordValues(child(sameRef(reader, at), 'a'));
    const b = recordValues(child(sameRef(reader, at), 'b'));
    await untilValue(b, 1);
    await set(at, { a: 1, b: 2 });
    await untilValue(b, 2);
    expect(a.events).toHaveLength(1);
  });

  test('[S53] listening once receives the current data of the server each time', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const once = () =>
      new Promise((resolve) => onValue(sameRef(reader, at), (s) => resolve(s.val()), { onlyOnce: true }));
    await set(at, 1);
    expect(await once()).toBe(1);
    await set(at, 2);
    expect(await once()).toBe(2);
  });

  test('[S54] after the last listener is removed the server sends no further data, and a new listener gets the current data', async () => {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const writer = openClient(ns);
    const at = freshRef(writer);
    await set(at, 1);
    const first = recordValues(sameRef(reader, at));
    await untilValue(first, 1);
    off(sameRef(reader, at));
    await settle(reader);
    const before = (await tap.pushesAt(pathOf(at))).length;
    await set(at, 2);
    await set(at, 3);
    await settle(reader);
    expect(await tap.pushesAt(pathOf(at))).toHaveLength(before);
    const second = recordValues(sameRef(reader, at));
    await second.untilEqual([['value', at.key, 3]]);
    expect(first.events).toHaveLength(1);
  });

  test('[S55] when a write is acknowledged, the writer already has all earlier writes of other clients', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await log.untilEqual([['value', at.key, null]]);
    await set(child(at, 'theirs'), 1);
    await set(child(sameRef(reader, at), 'mine'), 1);
    expect(latestValue(log)).toEqual({ mine: 1, theirs: 1 });
  });

  test('[S56] all clients see the writes of all clients in one order', async () => {
    const writers = [openClient(ns), openClient(ns), openClient(ns)];
    const readers = [openClient(ns), openClient(ns)];
    const at = freshRef(openClient(ns));
    const logs = readers.map((db) => recordValues(sameRef(db, at)));
    for (const log of logs) await log.untilEqual([['value', at.key, null]]);
    await Promise.all(
      writers.flatMap((db, w) => Array.from({ length: 40 }, (_, i) => set(sameRef(db, at), `${w}:${i}`))),
    );
    for (const db of readers) await settle(db);
    const [first, second] = logs.map((log) => log.events);
    expect(first).toHaveLength(121);
    expect(first).toEqual(second);
  });

  test("[S57] one client's writes to different paths are seen in the order in which they were made", async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const log = recordValues(sameRef(reader, at));
    await log.untilEqual([['value', at.key, null]]);
    const writes = [
      set(child(at, 'a'), 1),
      set(child(at, 'b'), 2),
      remove(child(at, 'a')),
      update(at, { c: 3 }),
    ];
    await Promise.all(writes);
    await settle(reader);
    expect(log.events.map(([, , value]) => value)).toEqual([
      null,
      { a: 1 },
      { a: 1, b: 2 },
      { b: 2 },
      { b: 2, c: 3 },
    ]);
  });

  test('[S58] a listener below another listener of its client causes no request', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    await set(at, { a: 1, b: 2 });
    const above = recordValues(at);
    await untilValue(above, { a: 1, b: 2 });
    const below = recordValues(child(at, 'a'));
    await untilValue(below, 1);
    await settle(db);
    const listens = (await tap.messages()).filter(
      ({ action, body }) => action === 'q' && body['p'] !== '/settle',
    );
    expect(listens.map(({ body }) => body['p'])).toEqual([`/${pathOf(at)}`]);
  });

  test('[S59] when the upper listener is removed, a listener below it still receives changes', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 2 });
    const above = recordValues(sameRef(reader, at));
    const below = recordValues(child(sameRef(reader, at), 'a'));
    await untilValue(above, { a: 1, b: 2 });
    above.close();
    await settle(reader);
    await set(child(at, 'a'), 5);
    await untilValue(below, 5);
    expect(below.events.map(([, , value]) => value)).toEqual([1, 5]);
  });

  test('[S60] a listener at the root sees a change anywhere', async () => {
    const own = await openNamespace();
    const { writer, reader } = openPair(own);
    const log = recordValues(ref(reader));
    await log.untilEqual([['value', null, null]]);
    await set(ref(writer, 'a/b'), 1);
    await untilValue(log, { a: { b: 1 } });
    await set(ref(writer), { c: 1 });
    await untilValue(log, { c: 1 });
    await remove(ref(writer));
    await untilValue(log, null);
    expect((await get(ref(writer))).exists()).toBe(false);
  });
});
