import {
  type DatabaseReference,
  endAt,
  equalTo,
  get,
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  type QueryConstraint,
  query,
  ref,
  set,
  startAfter,
  startAt,
} from 'firebase/database';
import { describe, expect, test } from 'vitest';
import { recordValues, untilCancelled, untilValue } from '../drivers/event-log.ts';
import type { Json, JsonObject } from '../drivers/json.ts';
import { openRuledDatabase } from '../drivers/sdk.ts';

const RULES = {
  mine: {
    '.read': "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 2",
    '.indexOn': 'owner',
  },
  owned: {
    '.read': "query.orderByChild == 'by/owner' && query.equalTo == auth.uid",
    '.indexOn': 'by/owner',
  },
  latest: { '.read': 'query.limitToLast <= 2' },
  keys: { '.read': "query.orderByKey && query.startAt >= 'b' && query.endAt <= 'c'" },
  values: { '.read': 'query.orderByValue && query.startAt >= 2', '.indexOn': '.value' },
  priorities: { '.read': 'query.orderByPriority && query.endAt == 2' },
  sorted: { '.read': "query.orderByChild == 'n'", '.indexOn': 'n' },
  whole: { '.read': 'query.orderByChild == null && query.limitToFirst == null' },
  rooms: {
    $room: {
      '.read': "data.parent().parent().child('members').child($room).child(auth.uid).exists()",
      open: { '.read': 'data.val() != null' },
    },
  },
} as const satisfies JsonObject;

const DATA = {
  mine: { a: { owner: 'alice' }, b: { owner: 'bob' } },
  owned: { a: { by: { owner: 'alice' } } },
  latest: { a: 1, b: 2, c: 3 },
  keys: { a: 1, b: 2, c: 3 },
  values: { a: 1, b: 2, c: 3 },
  priorities: { a: { '.value': 1, '.priority': 1 }, b: { '.value': 2, '.priority': 3 } },
  sorted: { a: { n: 2 }, b: { n: 1 } },
  whole: { a: 1, b: 2 },
  rooms: { hall: { text: 'hi', open: 1 }, attic: { text: 'boo' } },
  members: { hall: { alice: true } },
};

/** What the user alice reads, and what she receives; `denied` if the rules deny it. */
type Case = readonly [requested: string, path: string, constraints: readonly QueryConstraint[], shown: Json];

const ALICES = { a: { owner: 'alice' } };

/** Reads for which a listen and a get send the same query. */
const CASES: readonly Case[] = [
  ['hers, the first 2', 'mine', [orderByChild('owner'), equalTo('alice'), limitToFirst(2)], ALICES],
  ['hers, the first 3', 'mine', [orderByChild('owner'), equalTo('alice'), limitToFirst(3)], 'denied'],
  ['hers, the last 2', 'mine', [orderByChild('owner'), equalTo('alice'), limitToLast(2)], 'denied'],
  ['hers, all', 'mine', [orderByChild('owner'), equalTo('alice')], 'denied'],
  ["bob's", 'mine', [orderByChild('owner'), equalTo('bob'), limitToFirst(2)], 'denied'],
  [
    'hers and the following ones',
    'mine',
    [orderByChild('owner'), startAt('alice'), limitToFirst(2)],
    'denied',
  ],
  ['the key that equals her uid', 'mine', [orderByKey(), equalTo('alice'), limitToFirst(2)], 'denied'],
  ['the whole list', 'mine', [], 'denied'],
  ['an item of the list', 'mine/a', [], 'denied'],
  [
    'by a deep child',
    'owned',
    [orderByChild('by/owner'), equalTo('alice')],
    { a: { by: { owner: 'alice' } } },
  ],
  [
    'by a deep child, and a key',
    'owned',
    [orderByChild('by/owner'), equalTo('alice', 'a')],
    { a: { by: { owner: 'alice' } } },
  ],
  ['by another child', 'owned', [orderByChild('by'), equalTo('alice')], 'denied'],
  ['the last 2', 'latest', [limitToLast(2)], { b: 2, c: 3 }],
  ['the last 3', 'latest', [limitToLast(3)], 'denied'],
  ['the first', 'latest', [limitToFirst(1)], 'denied'],
  ['without a limit', 'latest', [], 'denied'],
  ['keys in range', 'keys', [orderByKey(), startAt('b'), endAt('c')], { b: 2, c: 3 }],
  ['keys after the start', 'keys', [orderByKey(), startAfter('b'), endAt('c')], { c: 3 }],
  ['keys before the range', 'keys', [orderByKey(), startAt('a'), endAt('c')], 'denied'],
  ['keys without an end', 'keys', [orderByKey(), startAt('b')], 'denied'],
  ['values in range', 'values', [orderByValue(), startAt(2)], { b: 2, c: 3 }],
  ['values of another type', 'values', [orderByValue(), startAt('2')], 'denied'],
  ['values without a start', 'values', [orderByValue(), endAt(2)], 'denied'],
  ['priorities in range', 'priorities', [orderByPriority(), endAt(2)], { a: 1 }],
  ['priorities beyond the range', 'priorities', [orderByPriority(), endAt(3)], 'denied'],
  ['the first by a child', 'sorted', [orderByChild('n'), limitToFirst(1)], { b: { n: 1 } }],
  ['the whole node', 'whole', [], { a: 1, b: 2 }],
  ['a part of the node', 'whole', [limitToFirst(2)], 'denied'],
  ['a room of hers', 'rooms/hall', [], { text: 'hi', open: 1 }],
  ['a part of a room of hers', 'rooms/hall', [limitToFirst(1)], { open: 1 }],
  ['the text in a room of hers', 'rooms/hall/text', [], 'hi'],
  ['a room of other members', 'rooms/attic', [], 'denied'],
  ['all rooms', 'rooms', [], 'denied'],
];

describe('Rules of reads', () => {
  test.each<Case>(CASES)(
    '[S315] a listener receives what the rules let it query, and is canceled otherwise: %s; %s',
    async (_, path, constraints, shown) => {
      const { open } = await openRuledDatabase(RULES, DATA);
      const log = recordValues(query(ref(open({ sub: 'alice' }), path), ...constraints));
      if (shown === 'denied') {
        await untilCancelled(log, path);
        expect(log.events).toEqual([]);
      } else {
        await untilValue(log, shown);
        expect(log.errors).toEqual([]);
      }
    },
  );

  test.each<Case>(CASES)(
    '[S316] a get returns what the rules let it query, and fails otherwise: %s; %s',
    async (_, path, constraints, shown) => {
      const { open } = await openRuledDatabase(RULES, DATA);
      const got = get(query(ref(open({ sub: 'alice' }), path), ...constraints));
      if (shown === 'denied') await expect(got).rejects.toThrow(/^Permission denied$/);
      else expect((await got).val()).toEqual(shown);
    },
  );

  test('[S317] rules see an order without bounds and limit in a get, but not in a listen', async () => {
    const { open } = await openRuledDatabase(RULES, DATA);
    const sorted = query(ref(open(), 'sorted'), orderByChild('n'));
    const log = recordValues(sorted);
    await untilCancelled(log, 'sorted');
    expect((await get(sorted)).val()).toEqual(DATA.sorted);
  });

  test('[S318] rules may allow one query and deny another query at the same path', async () => {
    const { owner, open } = await openRuledDatabase(RULES, DATA);
    const latest = ref(open(), 'latest');
    const allowed = recordValues(query(latest, limitToLast(1)));
    const denied = recordValues(query(latest, limitToLast(5)));
    await untilCancelled(denied, 'latest');
    await set(ref(owner, 'latest/d'), 4);
    await untilValue(allowed, { d: 4 });
    await set(ref(owner, 'latest/d'), null);
    await untilValue(allowed, { c: 3 });
    expect([allowed.errors, denied.events]).toEqual([[], []]);
  });

  test('[S319] a denied listener that reads one value fails like any other', async () => {
    const { open } = await openRuledDatabase(RULES, DATA);
    const requested = once(ref(open({ sub: 'bob' }), 'rooms/hall'));
    await expect(requested).rejects.toMatchObject({
      message: "permission_denied at /rooms/hall: Client doesn't have permission to access the desired data.",
      code: 'PERMISSION_DENIED',
    });
  });
});

/** Resolves to the first value that a listener receives. Rejects if the rules deny it. */
function once(location: DatabaseReference): Promise<unknown> {
  return new Promise((resolve, reject) => {
    onValue(location, (snapshot) => resolve(snapshot.val()), reject, { onlyOnce: true });
  });
}
