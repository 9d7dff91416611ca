import { expect, test } from 'vitest';
import { evaluateText, faultOf } from './evaluate.fixture.ts';

const BEFORE = '{"object":{"a":1},"one":1,"text":"1","no":false}';
const AUTH = { one: 1, list: [1], object: {} };

/** The spellings of the operators for equality (`true`) and inequality (`false`). */
const SPELLINGS = [
  ['==', true],
  ['===', true],
  ['!=', false],
  ['!==', false],
] as const;

test.each(
  [
    ['1', '1', true],
    ['1', '1.0', true],
    ['0', '-0', true],
    ["'a'", "'a'", true],
    ["'a'", "'A'", false],
    ['true', 'true', true],
    ['null', 'null', true],
    ['1', "'1'", false],
    ['0', 'false', false],
    ["''", 'null', false],
    ['false', 'null', false],
    ['0', 'null', false],
    ['auth.one', "root.child('one').val()", true],
    ["root.child('none').val()", 'auth.none', true],
    ['auth', 'null', false],
    ['auth', 'auth', false],
    ['auth.object', 'auth.object', false],
    ['auth.list', "'1'", false],
    ["root.child('object').val()", 'null', false],
    ["root.child('object').val()", "root.child('object').val()", false],
    ["root.child('object').val()", 'auth.object', false],
    ['1 / 0', '1 / 0', false],
  ].flatMap(([left, right, isEqual]) =>
    SPELLINGS.map(
      ([operator, isPositive]) => [`${left} ${operator} ${right}`, isEqual === isPositive] as const,
    ),
  ),
)('[R81] %s is %j', (text, expected) => {
  expect(evaluateText(text, { auth: AUTH, before: BEFORE })).toBe(expected);
});

test.each([
  ['1 < 2', true],
  ['2 < 2', false],
  ['2 <= 2', true],
  ['3 > 2', true],
  ['2 > 2', false],
  ['2 >= 2', true],
  ["'a' < 'b'", true],
  ["'B' < 'a'", true],
  ["'10' < '9'", true],
  ["'' < 'a'", true],
  ["'a' <= 'a'", true],
  ["'b' > 'a'", true],
  ["'b' >= 'c'", false],
  // The order is by UTF-16 code units, not code points, so a surrogate sorts first.
  [`'\u{1f600}' < '\uffff'`, true],
])('[R82] %s is %j', (text, expected) => {
  expect(evaluateText(text)).toBe(expected);
});

test.each(
  [
    ['auth.none', '1', 'auth.none', 'left operand of OP is null, but must be a number or a string.'],
    ['auth.object', '1', 'auth.object', 'left operand of OP is an object, but must be a number or a string.'],
    ["root.child('no').val()", '1', "root.child('no').val()", 'left operand of OP is a boolean, but must be'],
    [
      '1',
      'auth.none',
      'auth.none',
      'right operand of OP is null, but must be a number like the left operand.',
    ],
    ['1', "'1'", "'1'", 'right operand of OP is a string, but must be a number like the left operand.'],
    ["'1'", '1', '1', 'right operand of OP is a number, but must be a string like the left operand.'],
    ["'1'", 'auth.list', 'auth.list', 'right operand of OP is an object, but must be a string'],
  ].flatMap(([left = '', right = '', part = '', message = '']) =>
    ['<', '<=', '>', '>='].map(
      (operator) => [`${left} ${operator} ${right}`, part, operator, message] as const,
    ),
  ),
)('[R82][R103] %s is an error at %s', (text, part, operator, message) => {
  expect(faultOf(text, { auth: AUTH, before: BEFORE })).toEqual([
    part,
    expect.stringContaining(message.replace('OP', operator)),
  ]);
});
