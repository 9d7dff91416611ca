import {
  child,
  type DatabaseReference,
  get,
  increment,
  limitToFirst,
  orderByKey,
  push,
  query,
  ref,
  remove,
  runTransaction,
  serverTimestamp,
  set,
  setPriority,
  setWithPriority,
  update,
} from 'firebase/database';
import { describe, expect, test } from 'vitest';
import { expectWriteDenied, recordAll, recordValues, untilValue } from '../drivers/event-log.ts';
import type { Json, JsonObject } from '../drivers/json.ts';
import { openRuledDatabase, type RuledDatabase, settle } from '../drivers/sdk.ts';

const RULES = {
  form: {
    '.write': 'auth != null',
    '.validate': "newData.hasChildren(['x'])",
    part: { $k: { '.write': 'auth != null' } },
  },
  room: {
    $id: {
      '.write': true,
      name: { '.validate': 'newData.isString()' },
      $other: { '.validate': false },
    },
    lobby: { '.read': true },
  },
  steps: { '.write': true, '.validate': 'newData.isNumber() && newData.val() === data.val() + 1' },
} as const satisfies JsonObject;

type Write = (root: DatabaseReference) => Promise<unknown>;

/** The data before, a write of a user, and the data afterwards; `denied` if the rules deny the write. */
type Case = readonly [title: string, before: Json, write: Write, outcome: { readonly is: Json } | 'denied'];

/** Makes a write as the user alice, and checks its result and the data afterwards. */
async function expectOutcome(rules: JsonObject, [, before, write, outcome]: Case): Promise<void> {
  const { owner, open } = await openRuledDatabase(rules, before);
  const written = write(ref(open({ sub: 'alice' })));
  if (outcome === 'denied') await expectWriteDenied(written);
  else await written;
  expect((await get(ref(owner))).exportVal()).toEqual(outcome === 'denied' ? before : outcome.is);
}

/** Opens a database with the paths `p0`, `p1`, …, each with one of the expressions as its write rule. */
function openExpressions(expressions: readonly string[]): Promise<RuledDatabase> {
  return openRuledDatabase(
    Object.fromEntries(expressions.map((expression, i) => [`p${i}`, { '.write': expression }])),
  );
}

/** Whether alice may write the value at a path with this expression. */
type RuleDecision = readonly [expression: string, value: unknown, isAllowed: boolean];

async function expectDecisions(decisions: readonly RuleDecision[]): Promise<void> {
  const { open } = await openExpressions(decisions.map(([expression]) => expression));
  const alice = open({ sub: 'alice' });
  const written = await Promise.allSettled(decisions.map(([, value], i) => set(ref(alice, `p${i}`), value)));
  expect(
    decisions.map(([expression, value], i) => [expression, value, written[i]?.status === 'fulfilled']),
  ).toEqual(decisions);
}

describe('Rules of writes', () => {
  test.each<Case>([
    ['below a node that is not valid', null, (root) => set(child(root, 'form/part/a'), 1), 'denied'],
    [
      'below a node that is valid',
      { form: { x: 1 } },
      (root) => set(child(root, 'form/part/a'), 1),
      { is: { form: { x: 1, part: { a: 1 } } } },
    ],
    [
      'the update makes the ancestor valid',
      null,
      (root) => update(root, { 'form/x': 1, 'form/part/a': 2 }),
      { is: { form: { x: 1, part: { a: 2 } } } },
    ],
    ['a set of the node itself', null, (root) => set(child(root, 'form'), { part: { a: 1 } }), 'denied'],
  ])(
    '[S300] the ancestors of a written path must be valid with everything that is written together: %s',
    async (...row) => {
      await expectOutcome(RULES, row);
    },
  );

  test.each<Case>([
    ['of a required child', { form: { x: 1, y: 2 } }, (root) => remove(child(root, 'form/x')), 'denied'],
    ['of the whole node', { form: { x: 1, y: 2 } }, (root) => remove(child(root, 'form')), { is: null }],
    ['of the last child', { form: { x: 1 } }, (root) => remove(child(root, 'form/x')), { is: null }],
    [
      'of data that is not valid',
      { room: { r1: { name: 'a', age: 1 } } },
      (root) => update(child(root, 'room/r1'), { age: null }),
      { is: { room: { r1: { name: 'a' } } } },
    ],
  ])('[S301] a removal is validated by what remains above it: %s', async (...row) => {
    await expectOutcome(RULES, row);
  });

  test.each<Case>([
    [
      'only known children',
      null,
      (root) => set(child(root, 'room/r1'), { name: 'a' }),
      { is: { room: { r1: { name: 'a' } } } },
    ],
    [
      'a known and an unknown child',
      null,
      (root) => set(child(root, 'room/r1'), { name: 'a', age: 1 }),
      'denied',
    ],
    ['a wrong type', null, (root) => set(child(root, 'room/r1'), { name: 1 }), 'denied'],
    ['a wrong type alone', null, (root) => set(child(root, 'room/r1/name'), 1), 'denied'],
    [
      'next to data that is not valid',
      { room: { r1: { age: 1 } } },
      (root) => set(child(root, 'room/r1/name'), 'b'),
      { is: { room: { r1: { age: 1, name: 'b' } } } },
    ],
  ])('[S302] all written data must be valid, but not the data next to it: %s', async (...row) => {
    await expectOutcome(RULES, row);
  });

  test.each<Case>([
    ['a key with its own rules', null, (root) => set(child(root, 'room/lobby'), { name: 'a' }), 'denied'],
    ['the node above', null, (root) => set(child(root, 'room'), {}), 'denied'],
  ])(
    '[S303] a `$` key does not apply to keys with their own rules, or to the node above: %s',
    async (...row) => {
      await expectOutcome(RULES, row);
    },
  );

  test.each<Case>([
    ['a step', { steps: 4 }, (root) => set(child(root, 'steps'), 5), { is: { steps: 5 } }],
    ['two steps', { steps: 4 }, (root) => set(child(root, 'steps'), 6), 'denied'],
    ['no number before', null, (root) => set(child(root, 'steps'), 1), 'denied'],
    ['an increment', { steps: 4 }, (root) => set(child(root, 'steps'), increment(1)), { is: { steps: 5 } }],
    [
      'an increment that is too large',
      { steps: 4 },
      (root) => set(child(root, 'steps'), increment(2)),
      'denied',
    ],
    ['an increment of zero', { steps: 4 }, (root) => update(root, { steps: increment(0) }), 'denied'],
  ])(
    '[S304] `data` is the data before the write, and an increment is decided by its sum: %s',
    async (...row) => {
      await expectOutcome(RULES, row);
    },
  );

  test.each<Case>([
    [
      'not valid',
      { steps: 4, room: { r1: { name: 'a' } } },
      (root) => update(root, { steps: 5, 'room/r1/name': 1 }),
      'denied',
    ],
    [
      'not granted',
      { steps: 4, room: { lobby: { name: 'a' } } },
      (root) => update(root, { steps: 5, 'room/lobby/name': 'b' }),
      'denied',
    ],
    [
      'valid and granted',
      { steps: 4, room: { r1: { name: 'a' } } },
      (root) => update(root, { steps: 5, 'room/r1/name': 'b' }),
      { is: { steps: 5, room: { r1: { name: 'b' } } } },
    ],
  ])('[S305] an update is made as a whole or not at all: %s', async (...row) => {
    await expectOutcome(RULES, row);
  });

  test('[S306] a rule whose expression has no value does not allow a write, even if the expression is negated', () =>
    expectDecisions([
      ['auth.token.team.length > 1', 1, false],
      ['!(auth.token.team.length > 1)', 1, false],
      ['auth.token.team.length > 1 || true', 1, false],
      ['true || auth.token.team.length > 1', 1, true],
      ['false ? auth.token.team.length > 1 : true', 1, true],
      ['auth.token.team.name == null', 1, true],
      ['data.val() + 1 != 7', 1, false],
      ['newData.val() < 5', 4, true],
      ['newData.val() < 5', '4', false],
      ['newData.val() < 5 || newData.isString()', '4', false],
      ['data.parent().parent().exists() || true', 1, false],
      ['!root.child(newData.val()).exists()', 'nowhere', true],
      ['!root.child(newData.val()).exists()', 1, false],
    ]));

  test('[S306] other rules apply as if the rule without a value did not exist', async () => {
    const { open } = await openRuledDatabase({
      a: { '.write': 'auth.token.team.length > 1', b: { '.write': true } },
      c: { '.write': true, '.validate': '!(auth.token.team.length > 1)' },
    });
    const alice = open({ sub: 'alice' });
    await set(ref(alice, 'a/b'), 1);
    await expectWriteDenied(set(ref(alice, 'a'), { b: 1 }));
    await expectWriteDenied(set(ref(alice, 'c'), 1));
  });

  test('[S307] texts are compared, searched, changed and matched against patterns', () =>
    expectDecisions([
      ["newData.val().contains('nan')", 'banana', true],
      ["newData.val().contains('Nan')", 'banana', false],
      ["newData.val().beginsWith('ban') && newData.val().endsWith('ana')", 'banana', true],
      ["newData.val().replace('a', '') == 'bnn'", 'banana', true],
      ["newData.val().toUpperCase() + newData.val().toLowerCase() == 'ÉAéa'", 'éa', true],
      ['newData.val().length == 2', '😀', true],
      ["newData.val() < 'b'", 'a', true],
      ["newData.val() + 1 == 'a1'", 'a', true],
      ['newData.val().matches(/^[a-z]{2,3}$/)', 'abc', true],
      ['newData.val().matches(/^[a-z]{2,3}$/)', 'abcd', false],
      ['newData.val().matches(/^(room|hall)-\\d+$/i)', 'HALL-12', true],
      ['newData.val().matches(/x*x*x*x*y/)', 'x'.repeat(50_000), false],
      ['newData.isString() ? newData.val().length < 5 : newData.val() < 5', 'abc', true],
      ['newData.isString() ? newData.val().length < 5 : newData.val() < 5', 5, false],
    ]));

  test('[S307] keys are texts, too, in lists and in any language', async () => {
    const { open } = await openRuledDatabase({
      list: { '.write': true, $index: { '.validate': '$index.matches(/^[0-2]$/)' } },
      $name: {
        '.write':
          "$name.length == 3 && $name.beginsWith('é') && data.parent().child($name).exists() == false",
      },
    });
    const root = ref(open());
    await set(child(root, 'list'), ['a', 'b', 'c']);
    await expectWriteDenied(set(child(root, 'list'), ['a', 'b', 'c', 'd']));
    await set(child(root, 'é😀'), 1);
    await expectWriteDenied(set(child(root, 'é😀'), 2));
    await expectWriteDenied(set(child(root, 'é'), 1));
  });

  test('[S308] `now` is the server timestamp of the same write; a client cannot choose it', async () => {
    const { owner, open } = await openRuledDatabase({
      $place: { '.write': true, at: { '.validate': 'newData.val() === now' } },
    });
    const root = ref(open());
    const location = child(root, 'a');
    await set(location, { at: serverTimestamp() });
    await update(root, { 'b/at': serverTimestamp(), 'c/at': serverTimestamp() });
    await expectWriteDenied(set(location, { at: 1 }));
    await expectWriteDenied(update(root, { 'a/at': serverTimestamp(), 'b/at': 1 }));
    const after = (await get(ref(owner))).val();
    expect(after.b.at).toBe(after.c.at);
  });

  test('[S309] writing a priority needs the permission to write its node, and rules can read the priority', async () => {
    const { owner, open } = await openRuledDatabase({
      a: { '.write': 'newData.getPriority() == 2 || newData.val() == null' },
    });
    const location = ref(open(), 'a');
    await setWithPriority(location, 'x', 2);
    await expectWriteDenied(setPriority(location, 3));
    await expectWriteDenied(set(location, 'y'));
    expect((await get(ref(owner, 'a'))).exportVal()).toEqual({ '.value': 'x', '.priority': 2 });
    await remove(location);
  });

  test('[S310] a denied set or update is rolled back for the listeners of its client', async () => {
    const { open } = await openRuledDatabase(
      { list: { '.read': true, '.write': true, $item: { '.validate': 'newData.isNumber()' } } },
      { list: { a: 1, b: 2 } },
    );
    const list = ref(open(), 'list');
    const log = recordAll(list);
    await untilValue(log, { a: 1, b: 2 });
    const writes: readonly (readonly [() => Promise<unknown>, Json])[] = [
      [() => set(list, { a: 'x' }), { a: 'x' }],
      [() => update(list, { a: 3, c: 'x' }), { a: 3, b: 2, c: 'x' }],
      [() => set(child(list, 'b'), 'x'), { a: 1, b: 'x' }],
      [() => setWithPriority(child(list, 'b'), 'x', 5), { a: 1, b: 'x' }],
      [() => update(list, { b: null, d: 'x' }), { a: 1, d: 'x' }],
    ];
    for (const [write, shownBefore] of writes) {
      log.clear();
      await expectWriteDenied(write());
      const values = log.events.filter(([kind]) => kind === 'value').map(([, , value]) => value);
      expect(values).toEqual([shownBefore, { a: 1, b: 2 }]);
    }
  });

  test('[S310] a denied update is rolled back child by child', async () => {
    const { open } = await openRuledDatabase(
      { list: { '.read': true, '.write': true, $item: { '.validate': 'newData.isNumber()' } } },
      { list: { a: 1, b: 2 } },
    );
    const list = ref(open(), 'list');
    const log = recordAll(query(list, orderByKey(), limitToFirst(2)));
    await untilValue(log, { a: 1, b: 2 });
    log.clear();
    await expectWriteDenied(update(list, { '0': 'x', b: 3 }));
    expect(log.events).toEqual([
      ['removed', 'b', 2],
      ['added', '0', 'x', null],
      ['value', 'list', { '0': 'x', a: 1 }],
      ['removed', '0', 'x'],
      ['added', 'b', 2, 'a'],
      ['value', 'list', { a: 1, b: 2 }],
    ]);
  });

  test('[S311] a denied push fails, and leaves no child', async () => {
    const { owner, open } = await openRuledDatabase({
      list: { '.write': 'auth != null', $item: { '.validate': 'newData.isNumber()' } },
    });
    const list = ref(open({ sub: 'alice' }), 'list');
    await push(list, 1);
    await expectWriteDenied(push(list, 'x').then());
    expect((await get(ref(owner, 'list'))).size).toBe(1);
  });

  test.each([true, false])(
    '[S312] a transaction whose result is not valid fails after one call; `applyLocally` is %s',
    async (applyLocally) => {
      const { open } = await openRuledDatabase({ steps: { ...RULES.steps, '.read': true } }, { steps: 4 });
      const steps = ref(open(), 'steps');
      const log = recordValues(steps);
      await untilValue(log, 4);
      let calls = 0;
      const failed = runTransaction(
        steps,
        (value: number) => {
          calls += 1;
          return value + 2;
        },
        { applyLocally },
      );
      await expect(failed).rejects.toThrow(/^permission_denied$/);
      expect(calls).toBe(1);
      expect(log.events.map(([, , value]) => value)).toEqual(applyLocally ? [4, 6, 4] : [4]);
    },
  );

  test('[S312] a transaction that begins with a wrong value is repeated with the current data, and the rules decide the repeated write', async () => {
    const { open } = await openRuledDatabase({ steps: { ...RULES.steps, '.read': true } }, { steps: 4 });
    const seen: (number | null)[] = [];
    const { snapshot } = await runTransaction(ref(open(), 'steps'), (value: number | null) => {
      seen.push(value);
      return (value ?? 0) + 1;
    });
    expect([snapshot.val(), seen]).toEqual([5, [null, 4]]);
  });

  test.each(['.write', '.validate'])(
    '[S312] transactions of several clients under a %s rule that requires single steps all succeed',
    async (kind) => {
      const step = { [kind]: 'newData.val() === data.val() + 1' };
      const { owner, open } = await openRuledDatabase(
        { steps: { '.read': true, '.write': true, ...step } },
        { steps: 0 },
      );
      const addFiveTimes = async () => {
        const steps = ref(open(), 'steps');
        for (let i = 0; i < 5; i++) await runTransaction(steps, (value: number | null) => (value ?? 0) + 1);
      };
      await Promise.all([addFiveTimes(), addFiveTimes(), addFiveTimes()]);
      expect((await get(ref(owner, 'steps'))).val()).toBe(15);
    },
  );

  test('[S313] rules see the uid of the user and the claims of the token', async () => {
    const { open } = await openRuledDatabase({
      uid: {
        '.write': "auth.uid == 'alice' && auth.token.sub == auth.uid && auth.token.user_id == auth.uid",
      },
      provider: {
        '.write': "auth.provider == 'password' && auth.token.firebase.sign_in_provider == 'password'",
      },
      mail: { '.write': "auth.token.email.endsWith('@example.com') && auth.token.email_verified === true" },
      level: { '.write': 'auth.token.level >= 3' },
      rooms: { $room: { '.write': "auth.token.roles[$room] == 'editor'" } },
      missing: { '.write': 'auth.token.team.name == null' },
      linked: { '.write': "auth.token.firebase.identities['example.com'][0] == '42'" },
    });
    const alice = open({
      sub: 'alice',
      user_id: 'alice',
      email: 'alice@example.com',
      email_verified: true,
      firebase: { sign_in_provider: 'password', identities: { 'example.com': ['42'] } },
      level: 3,
      roles: { hall: 'editor', lobby: 'reader' },
    });
    const paths = ['uid', 'provider', 'mail', 'level', 'rooms/hall', 'missing', 'linked'];
    await Promise.all(paths.map((path) => set(ref(alice, path), 1)));
    await expectWriteDenied(set(ref(alice, 'rooms/lobby'), 1));
    await expectWriteDenied(set(ref(alice, 'rooms/attic'), 1));
    const anonymous = open();
    for (const path of paths.filter((name) => name !== 'missing'))
      await expectWriteDenied(set(ref(anonymous, path), 1));
    await set(ref(anonymous, 'missing'), 1);
    await settle(anonymous);
  });

  test('[S314] rules read other paths as they were before the write, or as the whole update leaves them', async () => {
    const { open } = await openRuledDatabase({
      members: { $room: { $user: { '.write': 'auth.uid == $user' } } },
      messages: {
        $room: { '.write': "root.child('members/' + $room + '/' + auth.uid).exists()" },
      },
      joined: {
        $room: { '.write': "newData.parent().parent().child('members').child($room).hasChild(auth.uid)" },
      },
    });
    const alice = ref(open({ sub: 'alice' }));
    await expectWriteDenied(set(child(alice, 'messages/hall'), 'hi'));
    await expectWriteDenied(update(alice, { 'members/hall/alice': true, 'messages/hall': 'hi' }));
    await update(alice, { 'members/hall/alice': true, 'joined/hall': 'hi' });
    await set(child(alice, 'messages/hall'), 'hi');
    await expectWriteDenied(update(alice, { 'members/hall/alice': null, 'joined/hall': 'bye' }));
    await update(alice, { 'members/hall/alice': null, 'messages/hall': 'bye' });
  });
});
