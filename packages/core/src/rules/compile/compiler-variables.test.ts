import { expect, test } from 'vitest';
import { Fault } from '../evaluate/values.ts';
import type { Expression } from '../syntax/expression.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';
import { evaluateText, faultOf, scopeOf } from './evaluate.fixture.ts';

test.each([
  ['now', 1_700_000_000_000],
  ['$a', 'x'],
  ['$b', 'y'],
  ["$a + '/' + $b", 'x/y'],
])('[R95] in a rule at /$a/k/$b that is evaluated for a path below, %s is %j', (text, expected) => {
  const inputs = { now: 1_700_000_000_000, location: '$a/k/$b', path: 'x/k/y/z' };
  expect(evaluateText(text, inputs)).toBe(expected);
});

test.each(['$b', 'foo', 'constructor'])('[R104] %s, which no accepted rule contains, is an error', (name) => {
  expect(faultOf(name, { location: '$a/b', path: 'x/b' })).toEqual([name, `Unknown variable '${name}'.`]);
});

const SPAN = { start: 3, end: 5 };

test.each<readonly [string, string]>([
  ['root.foo()', 'Type error: Function call on target that is not a function.'],
  ['root()', 'Type error: Function call on target that is not a function.'],
  ['root.child()', 'child() expects 1 argument.'],
  ['root.hasChild()', 'hasChild() expects 1 argument.'],
  ["root.hasChildren('a')", 'hasChildren() expects an array of child names.'],
  ["'a'.contains()", 'contains() expects a string argument.'],
  ["'a'.replace('a')", 'replace() expects two arguments.'],
  ["'a'.matches('a')", 'matches() expects a regular expression literal argument.'],
])('[R104] %s, which no accepted rule contains, is an error', (text, message) => {
  const evaluate = compileExpression(
    parseExpression(text, (index) => index),
    [],
  );
  expect(evaluate(scopeOf({}))).toEqual(new Fault({ start: 0, end: text.length }, message));
});

test.each<readonly [Expression, string]>([
  [{ kind: 'array', span: SPAN, items: [] }, 'Unexpected array literal.'],
  [
    {
      kind: 'regular-expression',
      span: SPAN,
      pattern: {
        source: 'a',
        ignoresCase: false,
        isAtStart: false,
        isAtEnd: false,
        pattern: { kind: 'any' },
      },
    },
    'A regular expression may only be an argument of matches().',
  ],
])('[R104] %j alone is an error', (expression, message) => {
  expect(compileExpression(expression, [])(scopeOf({}))).toEqual(new Fault(SPAN, message));
});
