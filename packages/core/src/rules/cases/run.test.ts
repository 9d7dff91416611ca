import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { Coverage, summarizeCoverage } from '../explain/coverage.ts';
import { parseCaseFile } from './case-file.ts';
import { runCase } from './run.ts';

const RULES = parseRules(`{"rules": {
  "rooms": {"$room": {
    ".read": "data.child('open').val() == true || data.child('owner').val() == auth.uid",
    ".write": "auth != null && (!data.exists() || data.child('owner').val() == auth.uid)",
    ".validate": "newData.hasChildren(['owner'])",
    "owner": {".validate": "newData.val() == auth.uid"},
    "made": {".validate": "newData.val() == now"},
    "visits": {".write": true, ".validate": "newData.val() == data.val() + 1"}
  }},
  "list": {".read": "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 50"}
}}`);

const SHARED = '"data": {"rooms": {"r1": {"owner": "ann", "visits": 4}}}, "now": 1000,';

function outcomes(cases: string): readonly unknown[] {
  const parsed = parseCaseFile(`{${SHARED} "cases": [${cases}]}`);
  if (parsed.kind === 'wrong') throw new Error(JSON.stringify(parsed.problems));
  return parsed.cases.map((ruleCase) => runCase(RULES, ruleCase, 5, null));
}

test.each([
  ['{"read": "/rooms/r1", "expect": "deny"}'],
  ['{"as": "ann", "read": "/rooms/r1", "expect": "allow"}'],
  ['{"read": "/rooms/r1", "with": {"/rooms/r1/open": true}, "expect": "allow"}'],
  ['{"as": "bob", "write": "/rooms/r2", "value": {"owner": "bob"}, "expect": "allow"}'],
  ['{"as": "bob", "write": "/rooms/r2", "value": {"topic": "x"}, "expect": "deny"}'],
  ['{"as": "bob", "write": "/rooms/r1", "value": null, "expect": "deny"}'],
  ['{"as": "ann", "write": "/rooms/r1", "value": null, "expect": "allow"}'],
  ['{"as": "ann", "write": "/rooms/r1/made", "value": {".sv": "timestamp"}, "expect": "allow"}'],
  ['{"as": "ann", "write": "/rooms/r1/made", "value": 1000, "now": 1001, "expect": "deny"}'],
  ['{"write": "/rooms/r1/visits", "value": {".sv": {"increment": 1}}, "expect": "allow"}'],
  ['{"write": "/rooms/r1/visits", "value": {".sv": {"increment": 2}}, "expect": "deny"}'],
  ['{"as": "ann", "update": "/rooms", "value": {"r1/owner": null, "r2": null}, "expect": "deny"}'],
  [
    '{"as": "ann", "update": "/", "value": {"rooms/r3/owner": "ann", "rooms/r3/made": 1000}, "expect": "allow"}',
  ],
  [
    '{"as": "ann", "read": "/list", "query": {"orderByChild": "owner", "equalTo": "ann", "limitToFirst": 50}, "expect": "allow"}',
  ],
  ['{"as": "ann", "read": "/list", "expect": "deny"}'],
])('[R210] rules decide the case as it expects: %s', (ruleCase) => {
  expect(outcomes(ruleCase)).toMatchObject([{ kind: 'decided', isExpected: true }]);
});

test('[R210] a case with an unexpected result has an explanation', () => {
  expect(outcomes('{"as": "bob", "read": "/rooms/r1", "expect": "allow"}')).toMatchObject([
    {
      kind: 'decided',
      isExpected: false,
      explanation: { isAllowed: false, deciding: { kind: 'read', location: '/rooms/$room', holds: false } },
    },
  ]);
});

test('[R210] a case whose operation is rejected before rules are evaluated has a reason', () => {
  const biggest = '1.7976931348623157e308';
  expect(
    outcomes(
      `{"with": {"/rooms/r1/visits": ${biggest}}, "write": "/rooms/r1/visits", "value": {".sv": {"increment": ${biggest}}}, "expect": "allow"}`,
    ),
  ).toEqual([{ kind: 'rejected', isExpected: false, reason: expect.any(String) }]);
});

test('[R209] cases count for coverage, and the gaps are the results that no case produced', () => {
  const coverage = new Coverage(RULES);
  const parsed = parseCaseFile(
    `{${SHARED} "cases": [{"read": "/rooms/r1", "with": {"/rooms/r1/open": true}, "expect": "allow"}]}`,
  );
  if (parsed.kind === 'wrong') throw new Error('wrong');
  for (const ruleCase of parsed.cases) runCase(RULES, ruleCase, 5, coverage);
  const { gaps } = summarizeCoverage(RULES.source, coverage.list());
  expect(gaps.slice(0, 2)).toMatchObject([
    { line: 3, gap: 'never false', text: "data.child('open').val() == true" },
    { line: 3, gap: 'never evaluated', text: "data.child('owner').val() == auth.uid" },
  ]);
});
