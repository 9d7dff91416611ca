import { child, get, ref, set, setWithPriority, update } from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordAll, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, openPair, pathOf, sameRef, settle } from '../drivers/sdk.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[S61] update changes the children that it names, and no others', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 2 });
    await update(at, { b: 3, c: 4 });
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 1, b: 3, c: 4 });
  });

  test('[S62] update fires one value event in the writing client and one in another client', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 2, c: 3 });
    const here = recordAll(at);
    const there = recordAll(sameRef(reader, at));
    await untilValue(there, { a: 1, b: 2, c: 3 });
    await untilValue(here, { a: 1, b: 2, c: 3 });
    here.clear();
    there.clear();
    await update(at, { a: null, b: 20, d: 4 });
    await settle(reader);
    const expected = [
      ['removed', 'a', 1],
      ['added', 'd', 4, 'c'],
      ['changed', 'b', 20],
      ['value', at.key, { b: 20, c: 3, d: 4 }],
    ];
    expect(here.events).toEqual(expected);
    expect(there.events).toEqual(expected);
  });

  test('[S63] a child named in an update is replaced, not merged', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { x: 1, y: 2 } });
    await update(at, { a: { z: 3 } });
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: { z: 3 } });
  });

  test('[S64] update with deep paths replaces only the values at these paths', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { x: 1, y: { z: 2 } }, b: 1 });
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: { x: 1, y: { z: 2 } }, b: 1 });
    await update(at, { 'a/y/z': 20, 'a/w': 3, 'c/d/e': 4 });
    await untilValue(log, { a: { x: 1, y: { z: 20 }, w: 3 }, b: 1, c: { d: { e: 4 } } });
    expect(log.events).toHaveLength(2);
  });

  test('[S65] an update at the root changes distant paths together', async () => {
    const { writer, reader } = openPair(ns);
    const one = freshRef(writer);
    const two = freshRef(writer);
    const log = recordValues(sameRef(reader, two));
    await log.untilEqual([['value', two.key, null]]);
    await update(ref(writer), { [`${pathOf(one)}/x`]: 1, [`${pathOf(two)}/y`]: 2 });
    await untilValue(log, { y: 2 });
    expect((await get(sameRef(reader, one))).val()).toEqual({ x: 1 });
  });

  test('[S66] null in an update deletes a child, and deleting all children deletes the node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1, b: 2 }, 5);
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: 1, b: 2 });
    await update(at, { a: null, b: null });
    await untilValue(log, null);
    const read = await get(sameRef(openClient(ns), at));
    expect([read.exists(), read.priority]).toEqual([false, null]);
  });

  test('[S67] an empty update is acknowledged and changes nothing', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1 });
    await update(at, {});
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 1 });
  });

  test('[S68] an update that writes the values that are already there fires no event', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: 2 });
    const log = recordAll(sameRef(reader, at));
    await untilValue(log, { a: 1, b: 2 });
    log.clear();
    await update(at, { a: 1, b: 2 });
    await settle(reader);
    expect(log.events).toEqual([]);
  });

  test('[S69] updating a leaf makes it an object', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'leaf');
    await update(at, { a: 1 });
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 1 });
  });

  test('[S70] update keeps the priority of the node', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1 }, 'high');
    await update(at, { b: 2 });
    expect((await get(sameRef(reader, at))).exportVal()).toEqual({ a: 1, b: 2, '.priority': 'high' });
  });

  test('[S71] a priority can be set by a path in an update', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1, b: { c: 2 } });
    await update(at, { 'a/.priority': 10, 'b/.priority': 'x' });
    expect((await get(sameRef(reader, at))).exportVal()).toEqual({
      a: { '.value': 1, '.priority': 10 },
      b: { c: 2, '.priority': 'x' },
    });
  });

  test('[S72] updates of two clients to different children both stay', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => [
        update(at, { [`w${i}`]: i }),
        update(sameRef(reader, at), { [`r${i}`]: i }),
      ]).flat(),
    );
    expect((await get(sameRef(openClient(ns), at))).size).toBe(60);
  });

  test('[S73] a write sent before the response to an update is applied after the update', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await Promise.all([update(at, { a: 1, b: 1 }), set(child(at, 'a'), 2), update(at, { b: null, c: 3 })]);
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 2, c: 3 });
  });

  test('[S235] if an update creates a node, or empties and refills it, every listener sees only the data of the update, without the old priority', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(child(at, 'refilled'), { z: 1 }, 'old');
    await set(child(at, 'beside'), 1);
    const there = recordAll(sameRef(reader, at));
    await untilValue(there, { refilled: { z: 1 }, beside: 1 });
    const here = recordAll(at);
    await untilValue(here, { refilled: { z: 1 }, beside: 1 });
    await update(at, { 'fresh/b': 1, 'fresh/.priority': 5, 'refilled/z': null, 'refilled/b': 2 });
    await settle(reader);
    const expected = { beside: 1, fresh: { b: 1, '.priority': 5 }, refilled: { b: 2 } };
    expect((await get(sameRef(openClient(ns), at))).exportVal()).toEqual(expected);
    expect((await get(sameRef(reader, at))).exportVal()).toEqual(expected);
    expect((await get(at)).exportVal()).toEqual(expected);
  });
});
