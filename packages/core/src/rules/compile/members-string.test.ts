import { expect, test } from 'vitest';
import { WorkBudget } from '../evaluate/work-budget.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';
import { evaluateText, faultOf, scopeOf } from './evaluate.fixture.ts';
import { MAX_TEXT_UNITS, replaceText } from './text.ts';

test.each([
  ["'foo'.length", 3],
  ["''.length", 0],
  ["'\u{1f600}'.length", 2],
  ["'foo'['length']", 3],
  ["'foo'.contains('o')", true],
  ["'foo'.contains('')", true],
  ["'foo'.contains('O')", false],
  ["'foo'.contains('oof')", false],
  ["'foo'.beginsWith('fo')", true],
  ["'foo'.beginsWith('o')", false],
  ["'foo'.endsWith('oo')", true],
  ["'foo'.endsWith('f')", false],
  ["'Foo1'.toLowerCase()", 'foo1'],
  ["'Foo1'.toUpperCase()", 'FOO1'],
  ["'a.b.c'.replace('.', '')", 'abc'],
  ["root.val().contains('bar')", true],
  ["auth.uid['contains']('u')", true],
])('[R87] %s is %j', (text, expected) => {
  expect(evaluateText(text, { auth: { uid: 'u1' }, before: '"foobar"' })).toBe(expected);
});

test.each([
  ["'a.b.c'.replace('.', ',')", 'a,b,c'],
  ["'aaa'.replace('aa', 'b')", 'ba'],
  ["'aXbX'.replace('x', '')", 'aXbX'],
  ["'a.c'.replace('a.c', '$&$1$$')", '$&$1$$'],
  ["'abc'.replace('.', '')", 'abc'],
  ["'ab'.replace('', '-')", '-a-b-'],
  ["''.replace('', '-')", '-'],
  ["'abc'.replace('b', 'b')", 'abc'],
])('[R88] %s is %j', (text, expected) => {
  expect(evaluateText(text)).toBe(expected);
});

test.each([
  ['auth.none.length', 'auth.none', 'The target of .length is null, but must be a string. Test for null'],
  ['auth.one.length', 'auth.one', 'The target of .length is a number, but must be a string.'],
  ['auth.list.length', 'auth.list', 'The target of .length is an object, but must be a string.'],
  ["auth.none.contains('a')", 'auth.none', 'The target of .contains() is null, but must be a string.'],
  ["'a'.contains(auth.none)", 'auth.none', 'The argument of contains() is null, but must be a string.'],
  ["'a'.beginsWith(auth.one)", 'auth.one', 'The argument of beginsWith() is a number, but must be a string.'],
  ["'a'.endsWith(auth.list)", 'auth.list', 'The argument of endsWith() is an object, but must be a string.'],
  ["auth.replace('a', 'b')", 'auth', 'The target of .replace() is an object, but must be a string.'],
  ["'a'.replace(auth.one, 'b')", 'auth.one', 'The first argument of replace() is a number'],
  ["'a'.replace('a', auth.one)", 'auth.one', 'The second argument of replace() is a number'],
  ['auth.one.toLowerCase()', 'auth.one', 'The target of .toLowerCase() is a number'],
  ['root.val().toUpperCase()', 'root.val()', 'The target of .toUpperCase() is null'],
  ['auth.one.matches(/1/)', 'auth.one', 'The target of .matches() is a number, but must be a string.'],
])('[R87][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { auth: { one: 1, list: ['a'] } })).toEqual([part, expect.stringContaining(message)]);
});

test.each([
  ["'foobar'.matches(/o+b/)", true],
  ["'foobar'.matches(/^o+b/)", false],
  ["'foobar'.matches(/OB/)", false],
  ["'foobar'.matches(/OB/i)", true],
  ['root.val().matches(/^[a-z]+$/)', true],
])('[R97] %s is %j', (text, expected) => {
  expect(evaluateText(text, { before: '"foobar"' })).toBe(expected);
});

test('[R89] a result of replace() that would be too long is an error', () => {
  const auth = { long: 'a'.repeat(MAX_TEXT_UNITS / 2), by: 'bbb' };
  expect(faultOf("auth.long.replace('a', auth.by)", { auth })).toEqual([
    "auth.long.replace('a', auth.by)",
    'The result of replace() has more than 16777216 characters. Limit the length of its parts first.',
  ]);
});

test.each([
  "'a'.contains(auth.text)",
  "auth.text.contains('a')",
  "'a'.endsWith(auth.text) || auth.text.beginsWith(auth.text)",
  "auth.text.replace('b', '')",
  "auth.text.replace('', '')",
  "'aaaaaaaaaa'.replace('a', '')",
  'auth.text.toLowerCase()',
  'auth.text.toUpperCase()',
  "auth.text + 'b'",
  'auth.text.matches(/b/)',
  'auth.text.length',
])('[R263] %s is an error when too little work is left', (text) => {
  const expression = parseExpression(text, (index) => index);
  const work = new WorkBudget(10);
  const scope = { ...scopeOf({ auth: { text: 'a'.repeat(100) } }), work };
  expect(compileExpression(expression, [])(scope)).toMatchObject({
    message: expect.stringContaining('exceeded their work limit here'),
  });
});

test('[R263] replace() stops as soon as too little work is left', () => {
  const work = new WorkBudget(10_000);
  expect(replaceText('a'.repeat(1_000_000), 'a', 'b', work)).toBeNull();
  expect(work.left).toBeGreaterThan(-100);
});
