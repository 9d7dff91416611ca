import { expect, test } from 'vitest';
import { evaluateText, faultOf } from './evaluate.fixture.ts';
import { MAX_TEXT_UNITS } from './text.ts';

const AUTH = { text: 'one', number: 1, list: [1], no: false };

test.each([
  ['1 + 2', 3],
  ['0.1 + 0.2', 0.30000000000000004],
  ["'a' + 'b'", 'ab'],
  ["'a' + 1", 'a1'],
  ["1 + 'a'", '1a'],
  ["1 + 2 + 'a'", '3a'],
  ["'a' + 1 + 2", 'a12'],
  ["'' + 1e21", '1e+21'],
  ["'' + 0.000001", '0.000001'],
  ["'' + -0", '0'],
  ["'' + 1e308 * 10", 'Infinity'],
  ['auth.text + auth.number', 'one1'],
])('[R83] %s is %j', (text, expected) => {
  expect(evaluateText(text, { auth: AUTH })).toBe(expected);
});

test.each([
  ['auth.none + 1', 'auth.none', 'The left operand of + is null, but must be a number or a string.'],
  ["'a' + auth.none", 'auth.none', 'The right operand of + is null, but must be a number or a string.'],
  ['auth.no + 1', 'auth.no', 'The left operand of + is a boolean, but must be a number or a string.'],
  ["auth.list + ''", 'auth.list', 'The left operand of + is an object, but must be a number or a string.'],
  ["'' + root.val()", 'root.val()', 'The right operand of + is an object, but must be a number or a string.'],
])('[R83][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { auth: AUTH, before: '{"a":1}' })).toEqual([part, expect.stringContaining(message)]);
});

test.each([
  ['7 - 2', 5],
  ['7 * 2', 14],
  ['7 / 2', 3.5],
  ['-7 % 4', -3],
  ['-auth.number', -1],
  ['- -1', 1],
  ['1 / 0', Number.NaN],
  ['-1 / 0', Number.NaN],
  ['0 / 0', Number.NaN],
  ['1 % 0', Number.NaN],
  ["1 / 0 + ''", 'NaN'],
  ['1 / 0 > 2', false],
  ['1 / 0 <= 2', false],
  ['1 / 0 == 1 / 0', false],
  ['1 / 0 != 1 / 0', true],
])('[R84] %s is %j', (text, expected) => {
  expect(evaluateText(text, { auth: AUTH })).toBe(expected);
});

test.each([
  ['auth.text - 1', 'auth.text', 'The left operand of - is a string, but must be a number.'],
  ['1 - auth.text', 'auth.text', 'The right operand of - is a string, but must be a number.'],
  ['auth.none * 1', 'auth.none', 'The left operand of * is null, but must be a number. Test for null first'],
  ['1 / auth.no', 'auth.no', 'The right operand of / is a boolean, but must be a number.'],
  ['1 % auth', 'auth', 'The right operand of % is an object, but must be a number.'],
  ['-auth.text', 'auth.text', 'The operand of - is a string, but must be a number.'],
  ['-auth.none', 'auth.none', 'The operand of - is null, but must be a number.'],
])('[R84][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { auth: AUTH })).toEqual([part, expect.stringContaining(message)]);
});

test('[R89] a sum of strings may have the maximum length of a string, but not more', () => {
  const auth = { half: 'a'.repeat(MAX_TEXT_UNITS / 2), half1: 'a'.repeat(MAX_TEXT_UNITS / 2 + 1) };
  expect(evaluateText('(auth.half + auth.half).length', { auth })).toBe(MAX_TEXT_UNITS);
  expect(faultOf('auth.half + auth.half1', { auth })).toEqual([
    'auth.half + auth.half1',
    'The result of + has more than 16777216 characters. Limit the length of its parts first.',
  ]);
});
