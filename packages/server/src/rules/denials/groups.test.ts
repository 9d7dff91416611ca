import { expect, test } from 'vitest';
import type { DeniedIdentity } from './denial.ts';
import { DenialGrouping, type Grouping } from './groups.ts';
import type { DenialSummary } from './search.ts';

let lastId = 0;

function denial(
  timeMs: number,
  identity: DeniedIdentity,
  location: string | null = '/rooms/$id',
): DenialSummary {
  lastId += 1;
  const rule = {
    kind: 'read',
    location: location ?? '',
    place: '/rooms/r1',
    documentSpan: { start: 0, end: 1 },
    text: 'false',
    holds: false,
  } as const;
  return {
    id: lastId,
    timeMs,
    operation: 'get',
    paths: ['/rooms/r1'],
    pathCount: 1,
    identity,
    query: null,
    rulesHash: '',
    cut: 'nothing',
    hasValues: false,
    rule: location === null ? null : rule,
    reason: null,
  };
}

const GUEST: DeniedIdentity = { kind: 'guest' };

function user(uid: string, email?: string): DeniedIdentity {
  return { kind: 'user', auth: { uid, token: email === undefined ? {} : { email } } };
}

/** Groups denials, which are given latest first, of the time from 0 to 2,400 ms. */
function group(by: Grouping, denials: readonly DenialSummary[]) {
  const grouping = new DenialGrouping(by, 0, 2_400);
  for (const one of denials) grouping.add(one);
  return grouping.finish(true);
}

test('[H640] denials of a rule are counted with their users, the largest group first', () => {
  const { groups, otherCount, isComplete } = group('rule', [
    denial(2_399, user('u1', 'ann@example.com')),
    denial(2_300, user('u2'), '/users'),
    denial(100, user('u1', 'ann@example.com')),
    denial(99, GUEST),
  ]);
  expect([groups.length, otherCount, isComplete]).toEqual([2, 0, true]);
  const [first, second] = groups;
  expect(first).toMatchObject({
    count: 3,
    firstMs: 99,
    lastMs: 2_399,
    rules: [{ rule: { kind: 'read', location: '/rooms/$id' }, count: 3 }],
    ruleCount: 1,
    users: [
      { user: { uid: 'u1', email: 'ann@example.com' }, count: 2 },
      { user: null, count: 1 },
    ],
    userCount: 2,
  });
  expect(first?.latest.timeMs).toBe(2_399);
  expect(first?.trend).toEqual([1, 1, ...Array.from({ length: 21 }, () => 0), 1]);
  expect(second?.users).toEqual([{ user: { uid: 'u2', email: null }, count: 1 }]);
});

test('[H640] denials of a user are counted with their rules; denials without a rule are counted too', () => {
  const { groups } = group('user', [denial(2, user('u1')), denial(1, user('u1'), null), denial(0, GUEST)]);
  expect(
    groups.map(({ count, users, rules }) => [count, users[0]?.user?.uid, rules.map(({ rule }) => rule)]),
  ).toEqual([
    [2, 'u1', [{ kind: 'read', location: '/rooms/$id' }, null]],
    [1, undefined, [{ kind: 'read', location: '/rooms/$id' }]],
  ]);
});

test('[H640] a denial whose stored identity was truncated counts as one by a user without a name', () => {
  const { groups } = group('user', [denial(1, { kind: 'user', auth: '{"uid":"u1…' })]);
  expect(groups[0]?.users).toEqual([{ user: { uid: '', email: null }, count: 1 }]);
});

test('[H640] at most 100 groups are listed, 1,000 are counted, and each names five users', () => {
  const denials = Array.from({ length: 1_200 }, (_, n) => denial(1, user(`u${n}`)));
  const byUser = group('user', [...denials, denial(1, user('u1199'))]);
  expect(byUser.groups).toHaveLength(100);
  expect(byUser.otherCount).toBe(900 + 201);
  const [byRule] = group('rule', denials).groups;
  expect(byRule).toMatchObject({ count: 1_200, userCount: 1_000 });
  expect(byRule?.users).toHaveLength(5);
});

test('[H640] a denial at the end of the period, or outside of it because the clock was set back, is counted in a part of the period', () => {
  const [first] = group('rule', [denial(2_400, GUEST), denial(-5, GUEST)]).groups;
  expect([first?.trend[0], first?.trend[23], first?.firstMs]).toEqual([1, 1, -5]);
});
