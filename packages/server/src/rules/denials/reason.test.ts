import { expect, test } from 'vitest';
import { readRequest, roomRules } from './authorization-request.fixture.ts';
import { recordDenial } from './capture.ts';
import { findReason } from './reason.ts';

const DATA = '{"rooms":{"r1":{"name":"a","open":false,"members":{"u1":false}}}}';

/** Returns the reason why the user `u1` may not read a room under a rule. */
function reasonOf(rule: string) {
  const denial = recordDenial(readRequest(roomRules({ '.read': rule }), 'rooms/r1', DATA), true);
  const [denied] = denial.rules;
  if (denied === undefined) throw new Error('the rule was not evaluated');
  return findReason(denied);
}

test.each([
  ['auth.uid == $id', 'auth.uid == $id', 'false'],
  ['auth != null && auth.uid == $id', 'auth.uid == $id', 'false'],
  ["auth.uid == $id && data.child('x').exists()", 'auth.uid == $id', 'false'],
  ['auth != null && $id == "r1" && data.hasChild("x")', 'data.hasChild("x")', 'false'],
  ['(auth == null || $id == "r2") && data.exists()', 'auth == null || $id == "r2"', 'false'],
  ['auth == null || $id == "r2"', 'auth == null || $id == "r2"', 'false'],
  ['auth == null ? data.exists() : data.hasChild("x")', 'data.hasChild("x")', 'false'],
  ['!data.exists()', '!data.exists()', 'false'],
  ['false', 'false', 'false'],
  ["data.exists() && data.child('name').val() < 5", "data.child('name').val() < 5", 'error'],
])(
  '[R287] the part of the rule %s that did not hold is %s, with the result %s',
  (rule, condition, outcome) => {
    const unquoted = (text: string) => text.replaceAll("'", '"');
    const reason = reasonOf(rule);
    expect({ ...reason, condition: unquoted(reason.condition) }).toMatchObject({
      condition: unquoted(condition),
      outcome,
      error: outcome === 'error' ? expect.stringContaining('must be a string') : null,
    });
  },
);

test('[R287] a reason contains the values that its condition compared', () => {
  expect(reasonOf('auth != null && auth.uid == $id').values).toEqual([
    { text: 'auth.uid', value: { kind: 'scalar', value: 'u1' } },
    { text: '$id', value: { kind: 'scalar', value: 'r1' } },
  ]);
});

test('[R287] a long condition is cut', () => {
  const { condition } = reasonOf(`auth.uid == "${'x'.repeat(300)}"`);
  expect(condition).toHaveLength(200);
  expect(condition.endsWith('…')).toBe(true);
});

test('[R287] a long expression whose value was compared is cut', () => {
  const [, compared] = reasonOf(`auth.uid == $id + "${'x'.repeat(300)}"`).values;
  expect(compared?.text).toHaveLength(200);
});
