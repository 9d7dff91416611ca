import {
  child,
  get,
  orderByPriority,
  query,
  remove,
  set,
  setPriority,
  setWithPriority,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf, recordAll, recordChildren, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, openPair, sameRef, settle } from '../drivers/sdk.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test.each([1, -2.5, 0, 1e20, 1e-20, 'text', '12', ''])(
    '[S74] a priority reads back as written: %j',
    async (priority) => {
      const { writer, reader } = openPair(ns);
      const at = freshRef(writer);
      await setWithPriority(at, 'value', priority);
      expect((await get(sameRef(reader, at))).priority).toBe(priority);
    },
  );

  test('[S75] priorities inside a written object are kept at every level', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const value = {
      '.priority': 1,
      a: { '.value': 5, '.priority': 'x' },
      b: { '.priority': 2, c: { '.value': true, '.priority': 3 } },
    };
    await set(at, value);
    expect((await get(sameRef(reader, at))).exportVal()).toEqual(value);
  });

  test('[S76] setPriority changes the priority and not the value', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1 }, 1);
    await setPriority(at, 'two');
    expect((await get(sameRef(reader, at))).exportVal()).toEqual({ a: 1, '.priority': 'two' });
  });

  test('[S77] setting the priority to null clears it', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, 'leaf', 1);
    await setPriority(at, null);
    expect((await get(sameRef(reader, at))).exportVal()).toBe('leaf');
  });

  test('[S78] set clears the priority', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, 'a', 1);
    await set(at, 'b');
    expect((await get(sameRef(reader, at))).exportVal()).toBe('b');
  });

  test('[S79] writing a child keeps the priority of its parent', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setWithPriority(at, { a: 1 }, 1);
    await set(child(at, 'b/c'), 2);
    await remove(child(at, 'a'));
    expect((await get(sameRef(reader, at))).exportVal()).toEqual({ b: { c: 2 }, '.priority': 1 });
  });

  test('[S80] setting the priority of a node that does not exist is acknowledged and creates nothing', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await setPriority(at, 5);
    const read = await get(sameRef(reader, at));
    expect([read.exists(), read.priority]).toEqual([false, null]);
  });

  test('[S81] changing the priority of a child moves it for a listener of its parent', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { '.value': 'A', '.priority': 1 }, b: { '.value': 'B', '.priority': 2 } });
    const log = recordAll(query(sameRef(reader, at), orderByPriority()));
    await untilValue(log, { a: 'A', b: 'B' });
    log.clear();
    await setPriority(child(at, 'a'), 3);
    await untilValue(log, { a: 'A', b: 'B' });
    expect(log.events).toEqual([
      ['moved', 'a', 'A', 'b'],
      ['changed', 'a', 'A'],
      ['value', at.key, { a: 'A', b: 'B' }],
    ]);
  });

  test('[S82] child_moved also fires if the position among the siblings stays the same', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { '.value': 'A', '.priority': 1 }, b: { '.value': 'B', '.priority': 5 } });
    const log = recordChildren(query(sameRef(reader, at), orderByPriority()));
    await log.untilEqual([
      ['added', 'a', 'A', null],
      ['added', 'b', 'B', 'a'],
    ]);
    log.clear();
    await setPriority(child(at, 'a'), 2);
    await log.untilEqual([
      ['moved', 'a', 'A', null],
      ['changed', 'a', 'A'],
    ]);
  });

  test('[S83] setWithPriority of a child with the same value moves the child', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { '.value': 'A', '.priority': 1 }, b: { '.value': 'B', '.priority': 2 } });
    const log = recordChildren(query(sameRef(reader, at), orderByPriority()));
    await log.untilEqual([
      ['added', 'a', 'A', null],
      ['added', 'b', 'B', 'a'],
    ]);
    log.clear();
    await setWithPriority(child(at, 'b'), 'B', 0);
    await log.untilEqual([
      ['moved', 'b', 'B', null],
      ['changed', 'b', 'B'],
    ]);
  });

  test('[S84] the priority of a grandchild is removed with the grandchild', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { b: { '.value': 1, '.priority': 9 }, c: 2 } });
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: { b: 1, c: 2 } });
    await remove(child(at, 'a/b'));
    await untilValue(log, { a: { c: 2 } });
    await set(child(at, 'a/b'), 1);
    expect((await get(sameRef(openClient(ns), at))).exportVal()).toEqual({ a: { b: 1, c: 2 } });
  });

  test('[S85] a listener above sees that the priority of a grandchild is cleared', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { b: { '.value': 1, '.priority': 9 } } });
    const log = recordAll(sameRef(reader, at));
    await untilValue(log, { a: { b: 1 } });
    log.clear();
    await setPriority(child(at, 'a/b'), null);
    await log.untilEqual([
      ['changed', 'a', { b: 1 }],
      ['value', at.key, { a: { b: 1 } }],
    ]);
  });

  test('[S86] an update of a child with its priority replaces both', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: { '.value': 1, '.priority': 1 } });
    await update(at, { a: { '.value': 2, '.priority': 'b' } });
    await update(at, { b: { '.value': 3, '.priority': 4 } });
    await settle(reader);
    expect((await get(sameRef(reader, at))).exportVal()).toEqual({
      a: { '.value': 2, '.priority': 'b' },
      b: { '.value': 3, '.priority': 4 },
    });
  });

  test('[S87] children without priority are first, then numbers, then strings; equal priorities are ordered by key', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const priorities = { h: 'b', g: 'a', f: '10', e: 1e20, d: 7, c: 7, b: -1e-5, a: null, i: -1e20 };
    for (const [key, priority] of Object.entries(priorities))
      await setWithPriority(child(at, key), 1, priority);
    const read = await get(query(sameRef(reader, at), orderByPriority()));
    expect(keysOf(read)).toEqual(['a', 'i', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  });
});
