import {
  child,
  type DatabaseReference,
  endAt,
  endBefore,
  equalTo,
  get,
  limitToFirst,
  limitToLast,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  type QueryConstraint,
  query,
  set,
  startAfter,
  startAt,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf, recordChildren } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, sameRef, settle } from '../drivers/sdk.ts';

type Case = readonly [name: string, constraints: readonly QueryConstraint[], keys: string];

const LONG_KEY = 'z'.repeat(700);

describe('Ordering and queries', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Returns the keys of a query's result, by `get` and by listening, each with a client that has no data. */
  async function readBothOrders(at: DatabaseReference, constraints: readonly QueryConstraint[]) {
    const got = await get(query(sameRef(openClient(ns), at), ...constraints));
    const listener = openClient(ns);
    const log = recordChildren(query(sameRef(listener, at), ...constraints));
    await settle(listener);
    return { got: keysOf(got), received: log.events.map(([, key]) => key) };
  }

  async function expectKeys(at: DatabaseReference, constraints: readonly QueryConstraint[], keys: string) {
    const expected = keys === '' ? [] : keys.split(' ');
    expect(await readBothOrders(at, constraints)).toEqual({ got: expected, received: expected });
  }

  async function write(value: unknown): Promise<DatabaseReference> {
    const at = freshRef(openClient(ns), 'indexed');
    await set(at, value);
    return at;
  }

  const BY_CHILD = {
    a: { other: 1 },
    b: { n: false },
    c: { n: true },
    d: { n: -5 },
    e: { n: { '.value': 10, '.priority': 1 } },
    f: { n: 10 },
    g: { n: '1' },
    h: { n: 'a' },
    i: { n: { x: 1 } },
  };
  const byChild = orderByChild('n');
  test.each<Case>([
    ['limitToFirst(3)', [limitToFirst(3)], 'a b c'],
    ['limitToLast(2)', [limitToLast(2)], 'h i'],
    ['limitToFirst(100)', [limitToFirst(100)], 'a b c d e f g h i'],
    ['startAt(null)', [startAt(null)], 'a b c d e f g h i'],
    ['startAt(10)', [startAt(10)], 'e f g h i'],
    ['startAt(10, f)', [startAt(10, 'f')], 'f g h i'],
    ['startAt("")', [startAt('')], 'g h i'],
    ['startAfter(10)', [startAfter(10)], 'g h i'],
    ['startAfter(10, e)', [startAfter(10, 'e')], 'f g h i'],
    ['startAfter(null)', [startAfter(null)], 'b c d e f g h i'],
    ['endAt(10)', [endAt(10)], 'a b c d e f'],
    ['endAt(10, e)', [endAt(10, 'e')], 'a b c d e'],
    ['endAt("a")', [endAt('a')], 'a b c d e f g h'],
    ['endBefore(10)', [endBefore(10)], 'a b c d'],
    ['endBefore(10, f)', [endBefore(10, 'f')], 'a b c d e'],
    ['endBefore(false)', [endBefore(false)], 'a'],
    ['equalTo(10)', [equalTo(10)], 'e f'],
    ['equalTo(10, f)', [equalTo(10, 'f')], 'f'],
    ['equalTo(10, x)', [equalTo(10, 'x')], ''],
    ['equalTo(null)', [equalTo(null)], 'a'],
    ['equalTo(true)', [equalTo(true)], 'c'],
    ['equalTo("1")', [equalTo('1')], 'g'],
    ['equalTo(1)', [equalTo(1)], ''],
    ['startAt(false), endAt(true)', [startAt(false), endAt(true)], 'b c'],
    ['startAt(true), limitToFirst(2)', [startAt(true), limitToFirst(2)], 'c d'],
    ['startAt(true), limitToLast(2)', [startAt(true), limitToLast(2)], 'h i'],
    ['endAt("a"), limitToLast(3)', [endAt('a'), limitToLast(3)], 'f g h'],
    ['endAt(10), limitToFirst(2)', [endAt(10), limitToFirst(2)], 'a b'],
    [
      'startAfter(-5), endBefore("a"), limitToFirst(2)',
      [startAfter(-5), endBefore('a'), limitToFirst(2)],
      'e f',
    ],
    ['equalTo(10), limitToLast(1)', [equalTo(10), limitToLast(1)], 'f'],
    ['startAt(11), endAt(5)', [startAt(11), endAt(5)], ''],
  ])(
    '[S111] ordered by child: null, false, true, numbers, texts, objects, then keys; %s',
    async (_, constraints, keys) => {
      await expectKeys(await write(BY_CHILD), [byChild, ...constraints], keys);
    },
  );

  test.each<Case>([
    ['limitToLast(2)', [limitToLast(2)], 'b c'],
    ['equalTo(2)', [equalTo(2)], 'b'],
    ['equalTo(null)', [equalTo(null)], 'd e f'],
  ])(
    '[S112] ordered by a deeper child, where a leaf on the path counts as null; %s',
    async (_, constraints, keys) => {
      const at = await write({
        a: { deep: { n: 1 } },
        b: { deep: { n: 2 } },
        c: { deep: { n: 3 } },
        d: { deep: 9 },
        e: 5,
        f: { n: 1 },
      });
      await expectKeys(at, [orderByChild('deep/n'), ...constraints], keys);
    },
  );

  const INTEGER_KEYS = ['-2147483648', '-5', '0', '1', '01', '2', '10', '2147483647'];
  const TEXT_KEYS = ['-2147483649', '1x', '2147483648', 'A', 'a', 'b', LONG_KEY];
  const ALL_KEYS = [...INTEGER_KEYS, ...TEXT_KEYS];
  const after = (key: string) => ALL_KEYS.slice(ALL_KEYS.indexOf(key) + 1).join(' ');
  const before = (key: string) => ALL_KEYS.slice(0, ALL_KEYS.indexOf(key)).join(' ');
  test.each<Case>([
    ['everything', [limitToFirst(99)], ALL_KEYS.join(' ')],
    ['limitToFirst(3)', [limitToFirst(3)], '-2147483648 -5 0'],
    ['limitToLast(2)', [limitToLast(2)], `b ${LONG_KEY}`],
    ['startAt(2)', [startAt('2')], `2 ${after('2')}`],
    ['startAt(3), which does not exist', [startAt('3')], after('2')],
    ['startAfter(1)', [startAfter('1')], after('1')],
    ['startAfter(2147483647)', [startAfter('2147483647')], TEXT_KEYS.join(' ')],
    ['startAfter(-2147483648)', [startAfter('-2147483648')], after('-2147483648')],
    ['startAfter(a)', [startAfter('a')], `b ${LONG_KEY}`],
    ['startAfter(the longest key)', [startAfter(LONG_KEY)], ''],
    ['endAt(1)', [endAt('1')], '-2147483648 -5 0 1'],
    ['endBefore(-2147483648)', [endBefore('-2147483648')], ''],
    ['endBefore(-2147483649)', [endBefore('-2147483649')], INTEGER_KEYS.join(' ')],
    ['endBefore(a)', [endBefore('a')], before('a')],
    ['endBefore(the longest key)', [endBefore(LONG_KEY)], before(LONG_KEY)],
    ['equalTo(10)', [equalTo('10')], '10'],
    ['equalTo(01)', [equalTo('01')], '01'],
    ['equalTo(zz)', [equalTo('zz')], ''],
    ['startAt(0), endAt(10)', [startAt('0'), endAt('10')], '0 1 01 2 10'],
    ['startAt(1), limitToFirst(2)', [startAt('1'), limitToFirst(2)], '1 01'],
    ['endAt(a), limitToLast(2)', [endAt('a'), limitToLast(2)], 'A a'],
    ['startAfter(0), endBefore(10), limitToLast(1)', [startAfter('0'), endBefore('10'), limitToLast(1)], '2'],
  ])(
    '[S113] ordered by key: 32-bit whole numbers by size, then texts by code unit; %s',
    async (_, constraints, keys) => {
      const at = await write(Object.fromEntries(ALL_KEYS.map((key) => [key, 1])));
      await expectKeys(at, [orderByKey(), ...constraints], keys);
    },
  );

  test.each<Case>([
    ['limitToFirst(2)', [limitToFirst(2)], 'b c'],
    ['limitToLast(2)', [limitToLast(2)], 'g h'],
    ['startAt(3)', [startAt(3)], 'e f g h'],
    ['startAfter(3)', [startAfter(3)], 'g h'],
    ['startAfter(3, e)', [startAfter(3, 'e')], 'f g h'],
    ['endAt(-1)', [endAt(-1)], 'b c d'],
    ['endBefore(3)', [endBefore(3)], 'b c d'],
    ['endBefore(3, f)', [endBefore(3, 'f')], 'b c d e'],
    ['equalTo(3)', [equalTo(3)], 'e f'],
    ['equalTo("x")', [equalTo('x')], 'g'],
    ['equalTo(null)', [equalTo(null)], ''],
    ['startAt(true), endAt("x"), limitToLast(2)', [startAt(true), endAt('x'), limitToLast(2)], 'f g'],
  ])('[S114] ordered by value; %s', async (_, constraints, keys) => {
    const at = await write({
      b: false,
      c: true,
      d: -1,
      e: 3,
      f: { '.value': 3, '.priority': 1 },
      g: 'x',
      h: { o: 1 },
    });
    await expectKeys(at, [orderByValue(), ...constraints], keys);
  });

  test.each<Case>([
    ['limitToFirst(2)', [limitToFirst(2)], 'a b'],
    ['limitToLast(2)', [limitToLast(2)], 'f g'],
    ['startAt()', [startAt(null)], 'a b c d e f g'],
    ['startAt(5)', [startAt(5)], 'd e f g'],
    ['startAt(5, e)', [startAt(5, 'e')], 'e f g'],
    ['startAfter(5)', [startAfter(5)], 'f g'],
    ['startAfter(5, d)', [startAfter(5, 'd')], 'e f g'],
    ['endAt(5)', [endAt(5)], 'a b c d e'],
    ['endAt(5, d)', [endAt(5, 'd')], 'a b c d'],
    ['endBefore(5)', [endBefore(5)], 'a b c'],
    ['endBefore("t")', [endBefore('t')], 'a b c d e f'],
    ['equalTo(5)', [equalTo(5)], 'd e'],
    ['equalTo(5, d)', [equalTo(5, 'd')], 'd'],
    ['equalTo(null)', [equalTo(null)], 'a b'],
    ['equalTo("t")', [equalTo('t')], 'g'],
    ['startAt(1), endAt(5), limitToLast(1)', [startAt(1), endAt(5), limitToLast(1)], 'e'],
  ])('[S115] ordered by priority; %s', async (_, constraints, keys) => {
    const p = (priority: unknown) => ({ '.value': 1, '.priority': priority });
    const at = await write({ g: p('t'), f: p('5'), e: p(5), d: p(5), c: p(1), b: 1, a: { x: 1 } });
    await expectKeys(at, [orderByPriority(), ...constraints], keys);
  });

  test('[S116] a query on a leaf or on a missing node is empty, and fills when children are added', async () => {
    const writer = openClient(ns);
    const reader = openClient(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, 'leaf');
    const log = recordChildren(query(sameRef(reader, at), orderByChild('n'), limitToFirst(2)));
    expect((await get(query(sameRef(openClient(ns), at), byChild, limitToFirst(2)))).exists()).toBe(false);
    await settle(reader);
    expect(log.events).toEqual([]);
    await set(child(at, 'a/n'), 1);
    await log.untilEqual([['added', 'a', { n: 1 }, null]]);
  });

  test('[S117] limitToLast at a node with a priority omits that priority', async () => {
    const writer = openClient(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, { '.priority': 5, a: 1, b: 2, c: 3 });
    const read = await get(query(sameRef(openClient(ns), at), orderByKey(), limitToLast(2)));
    expect(read.exportVal()).toEqual({ b: 2, c: 3 });
  });
});
