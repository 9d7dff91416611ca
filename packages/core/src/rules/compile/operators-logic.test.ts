import { expect, test } from 'vitest';
import { Fault } from '../evaluate/values.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';
import { evaluateText, faultOf, scopeOf } from './evaluate.fixture.ts';

const ERROR = '(auth.none.length > 0)';

test.each([
  ['true && true', true],
  ['true && false', false],
  [`false && ${ERROR}`, false],
  ['false || true', true],
  ['false || false', false],
  [`true || ${ERROR}`, true],
  ['!true', false],
  ['!!true', true],
  ["true ? 'a' : 1", 'a'],
  ["false ? 'a' : 1", 1],
  [`true ? 1 : ${ERROR}`, 1],
  [`false ? ${ERROR} : 1`, 1],
  ['false || true && false', false],
])('[R85] %s is %j', (text, expected) => {
  expect(evaluateText(text)).toBe(expected);
});

test.each([
  ['auth.one && true', 'auth.one', 'The left operand of && is a number, but must be true or false.'],
  ['true && auth.text', 'auth.text', 'The right operand of && is a string, but must be true or false.'],
  ['auth.none || true', 'auth.none', 'The left operand of || is null, but must be true or false.'],
  ['false || auth', 'auth', 'The right operand of || is an object, but must be true or false.'],
  ['!auth.none', 'auth.none', 'The operand of ! is null, but must be true or false.'],
  ['auth.text ? 1 : 2', 'auth.text', 'The condition before ? is a string, but must be true or false.'],
])('[R85][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { auth: { one: 1, text: 'a' } })).toEqual([part, expect.stringContaining(message)]);
});

test.each([
  `!${ERROR}`,
  `${ERROR} || true`,
  `false || ${ERROR}`,
  `${ERROR} && false`,
  `true && ${ERROR}`,
  `${ERROR} ? true : true`,
  `true ? ${ERROR} : true`,
  `${ERROR} == false`,
  `null != ${ERROR}`,
  `'a'.contains('' + auth.none.length)`,
  `root.child('' + auth.none.length).exists() == false`,
  `root.hasChildren(['a', '' + auth.none.length]) == false`,
  `('' + auth.none.length).length >= 0`,
  `-auth.none.length < 0`,
  `auth['' + auth.none.length] == null`,
  `auth.none.toUpperCase().foo == null`,
])('[R86] the error in %s is an error of the whole rule', (text) => {
  expect(faultOf(text)[0]).toBe('auth.none');
});

test('[R86] an error is one object for each source location and reason, however often it occurs', () => {
  const evaluate = compileExpression(
    parseExpression('auth.a.length > 1', (index) => index),
    [],
  );
  const evaluateFor = (a: unknown) => evaluate(scopeOf({ auth: { a } }));
  expect(evaluateFor(null)).toBeInstanceOf(Fault);
  expect(evaluateFor(null)).toBe(evaluateFor(undefined));
  expect(evaluateFor(1)).toBe(evaluateFor(2));
  expect(evaluateFor(1)).not.toBe(evaluateFor(null));
});
