import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { expect, test } from 'vitest';
import { printUnitTests } from './unit-tests.ts';

const ANN = '{"uid":"ann","token":{"email":"ann@example.com","iat":1}}';

function print(ruleCase: string, rules = '{"rules":{}}'): string {
  const parsed = parseCaseFile(`{"cases":[${ruleCase}]}`);
  if (parsed.kind === 'wrong') throw new Error(parsed.problems[0]?.message);
  return printUnitTests(parseRules(rules), parsed.cases);
}

test.each([
  ['{"as":null,"read":"/a/b","expect":"deny"}', 'assertFails(database.ref("a/b").get())'],
  [
    '{"read":"/a","query":{"orderByChild":"n","equalTo":"x","limitToFirst":2},"expect":"allow"}',
    'assertSucceeds(database.ref("a").orderByChild("n").equalTo("x").limitToFirst(2).get())',
  ],
  ['{"write":"/","value":null,"expect":"deny"}', 'assertFails(database.ref().set(null))'],
  [
    '{"write":"/a","value":{"at":{".sv":"timestamp"}},"expect":"allow"}',
    'database.ref("a").set({"at":{".sv":"timestamp"}})',
  ],
  ['{"update":"/a","value":{"b":1,"c/d":null},"expect":"allow"}', 'update({ "a/b": 1, "a/c/d": null })'],
  [`{"as":${ANN},"read":"/","expect":"allow"}`, '{"uid":"ann","token":{"email":"ann@example.com"}}'],
  ['{"write":"/a","value":{"__proto__":1},"expect":"allow"}', 'set(JSON.parse("{\\"__proto__\\":1}"))'],
])('[C920] the case %s becomes a test', (ruleCase, part) => {
  expect(print(ruleCase)).toContain(part);
});

test.each([
  [
    '{"read":"/","now":5,"expect":"allow"}',
    '{"rules":{".read":"now < 9"}}',
    'the time of a test cannot be set',
  ],
  ['{"as":{"uid":7},"read":"/","expect":"allow"}', '{"rules":{}}', 'The user has no user ID'],
  ['{"as":{"uid":"a","role":"x"},"read":"/","expect":"allow"}', '{"rules":{}}', 'not that of a user'],
])('[C920] the case %s is skipped with the reason', (ruleCase, rules, reason) => {
  expect(print(ruleCase, rules)).toMatch(new RegExp(`skip: ".*${reason}`));
});

test('[C920] a case is exported even if its time differs from now, unless its rules use the time', () => {
  expect(print('{"read":"/","now":5,"expect":"deny"}')).toContain('assertFails');
});
