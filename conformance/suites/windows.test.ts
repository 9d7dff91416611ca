import {
  child,
  endAt,
  equalTo,
  limitToFirst,
  limitToLast,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  query,
  remove,
  set,
  setPriority,
  setWithPriority,
  startAt,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordAll, recordChildren, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { disconnect, freshRef, openPair, reconnect, sameRef, settle } from '../drivers/sdk.ts';

// A window is the part of a node's children that a query with a limit or a range selects.
describe('Ordering and queries', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Opens a writer at a location with data, and a reader at the same location. */
  async function openLocation(value: unknown) {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, value);
    return { at, seen: sameRef(reader, at), writer, reader };
  }

  test('[S118] a child that enters a full limitToLast window pushes the first child out', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2, c: 3 });
    const log = recordChildren(query(seen, orderByKey(), limitToLast(2)));
    await log.untilEqual([
      ['added', 'b', 2, null],
      ['added', 'c', 3, 'b'],
    ]);
    log.clear();
    await set(child(at, 'd'), 4);
    await log.untilEqual([
      ['removed', 'b', 2],
      ['added', 'd', 4, 'c'],
    ]);
  });

  test('[S119] a child that enters a full limitToFirst window pushes the last child out', async () => {
    const { at, seen } = await openLocation({ b: 2, c: 3, d: 4 });
    const log = recordChildren(query(seen, orderByKey(), limitToFirst(2)));
    await log.untilEqual([
      ['added', 'b', 2, null],
      ['added', 'c', 3, 'b'],
    ]);
    log.clear();
    await set(child(at, 'a'), 1);
    await log.untilEqual([
      ['removed', 'c', 3],
      ['added', 'a', 1, null],
    ]);
  });

  test('[S120] changes outside a full window fire no events', async () => {
    const { at, seen, reader } = await openLocation({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
    const log = recordAll(query(seen, orderByChild('n'), limitToLast(2)));
    await untilValue(log, { b: { n: 2 }, c: { n: 3 } });
    log.clear();
    await set(child(at, '0'), { n: 0 });
    await set(child(at, 'a/text'), 'x');
    await remove(child(at, 'a'));
    await settle(reader);
    expect(log.events).toEqual([]);
  });

  test.each([
    ['limitToFirst', limitToFirst(2), 'a', 'c', 'b'],
    ['limitToLast', limitToLast(2), 'd', 'b', null],
  ] as const)(
    '[S121] after a removal from a full %s window, the next child refills the window',
    async (_, limit, gone, come, previous) => {
      const { at, seen } = await openLocation({ a: 'a', b: 'b', c: 'c', d: 'd' });
      const log = recordAll(query(seen, limit));
      await untilValue(log, limit.type === 'limitToFirst' ? { a: 'a', b: 'b' } : { c: 'c', d: 'd' });
      log.clear();
      await remove(child(at, gone));
      await log.untilEqual([
        ['removed', gone, gone],
        ['added', come, come, previous],
        ['value', at.key, { b: 'b', c: 'c' }],
      ]);
    },
  );

  test('[S122] a removal without a child to refill the window leaves a smaller window', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2 });
    const log = recordChildren(query(seen, limitToLast(2)));
    await log.untilEqual([
      ['added', 'a', 1, null],
      ['added', 'b', 2, 'a'],
    ]);
    log.clear();
    await remove(child(at, 'b'));
    await log.untilEqual([['removed', 'b', 2]]);
  });

  test('[S123] deleting the whole node empties the window', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2, c: 3 });
    const log = recordAll(query(seen, limitToLast(2)));
    await untilValue(log, { b: 2, c: 3 });
    log.clear();
    await remove(at);
    await log.untilEqual([
      ['removed', 'b', 2],
      ['removed', 'c', 3],
      ['value', at.key, null],
    ]);
  });

  test('[S124] replacing the whole node changes the window in one event', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2, c: 3 });
    const log = recordValues(query(seen, limitToLast(2)));
    await untilValue(log, { b: 2, c: 3 });
    await set(at, { c: 3, x: 1, y: 2 });
    await untilValue(log, { x: 1, y: 2 });
    expect(log.events).toHaveLength(2);
  });

  test('[S125] a child whose index value changes leaves the window and returns', async () => {
    const { at, seen } = await openLocation({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
    const log = recordChildren(query(seen, orderByChild('n'), limitToFirst(2)));
    await log.untilEqual([
      ['added', 'a', { n: 1 }, null],
      ['added', 'b', { n: 2 }, 'a'],
    ]);
    log.clear();
    await set(child(at, 'a/n'), 9);
    await log.untilEqual([
      ['removed', 'a', { n: 1 }],
      ['added', 'c', { n: 3 }, 'b'],
    ]);
    log.clear();
    await set(child(at, 'a/n'), 2.5);
    await log.untilEqual([
      ['removed', 'c', { n: 3 }],
      ['added', 'a', { n: 2.5 }, 'b'],
    ]);
  });

  test('[S126] a child whose index value changes inside the window moves', async () => {
    const { at, seen } = await openLocation({ a: { n: 1, t: 'x' }, b: { n: 2 }, c: { n: 9 } });
    const log = recordChildren(query(seen, orderByChild('n'), limitToFirst(2)));
    await log.untilEqual([
      ['added', 'a', { n: 1, t: 'x' }, null],
      ['added', 'b', { n: 2 }, 'a'],
    ]);
    log.clear();
    await set(child(at, 'a/n'), 3);
    await log.untilEqual([
      ['moved', 'a', { n: 3, t: 'x' }, 'b'],
      ['changed', 'a', { n: 3, t: 'x' }],
    ]);
  });

  test('[S127] a child in the window whose index value stays the same fires only child_changed', async () => {
    const { at, seen } = await openLocation({ a: { n: 1 }, b: { n: 2 } });
    const log = recordChildren(query(seen, orderByChild('n'), limitToFirst(2)));
    await log.untilEqual([
      ['added', 'a', { n: 1 }, null],
      ['added', 'b', { n: 2 }, 'a'],
    ]);
    log.clear();
    await set(child(at, 'a/x/y'), 'deep');
    await log.untilEqual([['changed', 'a', { n: 1, x: { y: 'deep' } }]]);
  });

  test('[S128] a child enters and leaves a range when its index value does', async () => {
    const { at, seen } = await openLocation({ a: { n: 1 }, b: { n: 5 } });
    const log = recordChildren(query(seen, orderByChild('n'), startAt(3), endAt(7)));
    await log.untilEqual([['added', 'b', { n: 5 }, null]]);
    log.clear();
    await update(child(at, 'a'), { n: 4 });
    await log.untilEqual([['added', 'a', { n: 4 }, null]]);
    log.clear();
    await set(child(at, 'b/n'), 8);
    await log.untilEqual([['removed', 'b', { n: 5 }]]);
  });

  test('[S129] a child enters an equalTo window as a whole when one deep value makes it match', async () => {
    const { at, seen } = await openLocation({ a: { n: 1, more: { x: 1, y: [1, 2] } } });
    const log = recordChildren(query(seen, orderByChild('n'), equalTo(2)));
    await set(child(at, 'a/n'), 2);
    await log.untilEqual([['added', 'a', { n: 2, more: { x: 1, y: [1, 2] } }, null]]);
  });

  test('[S130] a window ordered by value follows the values', async () => {
    const { at, seen } = await openLocation({ a: 1, b: 2, c: 3 });
    const log = recordChildren(query(seen, orderByValue(), limitToLast(2)));
    await log.untilEqual([
      ['added', 'b', 2, null],
      ['added', 'c', 3, 'b'],
    ]);
    log.clear();
    await set(child(at, 'a'), 2.5);
    await log.untilEqual([
      ['removed', 'b', 2],
      ['added', 'a', 2.5, null],
    ]);
  });

  test('[S131] a window ordered by priority follows the priorities', async () => {
    const { at, seen } = await openLocation({
      a: { '.value': 'a', '.priority': 1 },
      b: { '.value': 'b', '.priority': 2 },
      c: { '.value': 'c', '.priority': 3 },
    });
    const log = recordChildren(query(seen, orderByPriority(), limitToLast(2)));
    await log.untilEqual([
      ['added', 'b', 'b', null],
      ['added', 'c', 'c', 'b'],
    ]);
    log.clear();
    await setPriority(child(at, 'a'), 10);
    await log.untilEqual([
      ['removed', 'b', 'b'],
      ['added', 'a', 'a', 'c'],
    ]);
    log.clear();
    await setWithPriority(child(at, 'd'), 'd', 5);
    await log.untilEqual([
      ['removed', 'c', 'c'],
      ['added', 'd', 'd', null],
    ]);
  });

  test('[S132] a deep update of an unknown child brings the whole child into the window', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'testing');
    await set(at, {
      a: { testIndex: 1, d: 'a' },
      b: { testIndex: 2, d: 'b' },
      c: { testIndex: 3, d: 'c', more: { deep: true } },
    });
    const log = recordValues(query(sameRef(reader, at), orderByChild('testIndex'), limitToFirst(2)));
    await untilValue(log, { a: { testIndex: 1, d: 'a' }, b: { testIndex: 2, d: 'b' } });
    await update(at, { 'c/testIndex': 0, 'c/new': 1 });
    await untilValue(log, {
      a: { testIndex: 1, d: 'a' },
      c: { testIndex: 0, d: 'c', more: { deep: true }, new: 1 },
    });
    expect(log.events).toHaveLength(2);
  });

  test('[S133] one update that moves several children into and out of a window fires one value event', async () => {
    const { at, seen } = await openLocation({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 }, d: { n: 4 } });
    const log = recordAll(query(seen, orderByChild('n'), limitToFirst(2)));
    await untilValue(log, { a: { n: 1 }, b: { n: 2 } });
    log.clear();
    await update(at, { 'a/n': 10, 'd/n': 0, e: { n: 0.5 } });
    await log.untilEqual([
      ['removed', 'a', { n: 1 }],
      ['removed', 'b', { n: 2 }],
      ['added', 'd', { n: 0 }, null],
      ['added', 'e', { n: 0.5 }, 'd'],
      ['value', at.key, { d: { n: 0 }, e: { n: 0.5 } }],
    ]);
  });

  test('[S134] a window of the client that writes is refilled', async () => {
    const { seen, at, reader } = await openLocation({ a: 1, b: 2, c: 3, d: 4 });
    const log = recordValues(query(seen, limitToFirst(2)));
    await untilValue(log, { a: 1, b: 2 });
    await remove(child(seen, 'a'));
    await untilValue(log, { b: 2, c: 3 });
    await set(child(seen, 'a'), 1);
    await untilValue(log, { a: 1, b: 2 });
    await settle(reader);
    expect(log.events.at(-1)).toEqual(['value', at.key, { a: 1, b: 2 }]);
  });

  test('[S135] data deleted while the listener was offline is gone when the listener reconnects', async () => {
    const { at, seen, reader } = await openLocation({ a: 1, b: 2, c: 3 });
    const log = recordChildren(query(seen, limitToLast(2)));
    const plain = recordValues(seen);
    await untilValue(plain, { a: 1, b: 2, c: 3 });
    await disconnect(reader);
    log.clear();
    await remove(child(at, 'c'));
    await reconnect(reader);
    await log.untilEqual([
      ['removed', 'c', 3],
      ['added', 'a', 1, null],
    ]);
    await untilValue(plain, { a: 1, b: 2 });
  });
});
