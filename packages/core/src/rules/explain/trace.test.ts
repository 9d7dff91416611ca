import { expect, test } from 'vitest';
import { compileExpression } from '../compile/compiler.ts';
import { type EvaluationInputs, scopeOf } from '../compile/evaluate.fixture.ts';
import { parseExpression } from '../syntax/parser.ts';
import { type RuleTrace, type TraceStep, type TraceValue, traceRule } from './trace.ts';

const AT_ROOM = { auth: { uid: 'u1' }, location: 'rooms/$room', path: 'rooms/r1' };
const BEFORE = '{"members":{"r1":{"u1":true}},"rooms":{"r1":{"n":1}}}';

function traceText(text: string, inputs: EvaluationInputs): RuleTrace {
  const location = inputs.location?.split('/') ?? [];
  const expression = parseExpression(text, (index) => index);
  const evaluate = compileExpression(expression, location);
  const rule = { kind: 'write', location, expression, evaluate, cost: 0 } as const;
  return traceRule(rule, scopeOf(inputs), `/${inputs.path ?? ''}`);
}

/** Formats a trace as lines. Each line has the indented text of a step and its value. */
function linesOf(text: string, step: TraceStep, indent = ''): readonly string[] {
  const { span, value, steps } = step;
  const line = `${indent}${text.slice(span.start, span.end)} → ${formatTraceValue(value)}`;
  return [line, ...steps.flatMap((below) => linesOf(text, below, `${indent}  `))];
}

function formatTraceValue(value: TraceValue): string {
  switch (value.kind) {
    case 'scalar':
    case 'json':
      return JSON.stringify(value.value);
    case 'not-finite':
      return value.text;
    case 'object':
      return 'object';
    case 'snapshot':
      return `${value.tree} ${value.path}`;
    case 'error':
      return 'error';
    default:
      return value satisfies never;
  }
}

test.each([
  [
    "auth != null && root.child('members').child($room).child(auth.uid).exists()",
    [
      "auth != null && root.child('members').child($room).child(auth.uid).exists() → true",
      '  auth != null → true',
      '    auth → {"uid":"u1"}',
      "  root.child('members').child($room).child(auth.uid).exists() → true",
      "    root.child('members').child($room).child(auth.uid) → before /members/r1/u1",
      "      root.child('members').child($room) → before /members/r1",
      "        root.child('members') → before /members",
      '          root → before /',
      '        $room → "r1"',
      '      auth.uid → "u1"',
      '        auth → {"uid":"u1"}',
    ],
  ],
  [
    'auth == null && data.exists()',
    ['auth == null && data.exists() → false', '  auth == null → false', '    auth → {"uid":"u1"}'],
  ],
  [
    "newData.parent().val() != '' ? newData.child('..').exists() : true",
    [
      "newData.parent().val() != '' ? newData.child('..').exists() : true → false",
      "  newData.parent().val() != '' → true",
      '    newData.parent().val() → object',
      '      newData.parent() → after /rooms',
      '        newData → after /rooms/r1',
      "  newData.child('..').exists() → false",
      "    newData.child('..') → after null",
      '      newData → after /rooms/r1',
    ],
  ],
  [
    "!(auth.name.length > 1) || root.hasChildren(['a', $room])",
    [
      "!(auth.name.length > 1) || root.hasChildren(['a', $room]) → error",
      '  !(auth.name.length > 1) → error',
      '    auth.name.length > 1 → error',
      '      auth.name.length → error',
      '        auth.name → null',
      '          auth → {"uid":"u1"}',
    ],
  ],
  [
    "root.hasChildren(['rooms', $room]) || $room.matches(/r/)",
    [
      "root.hasChildren(['rooms', $room]) || $room.matches(/r/) → true",
      "  root.hasChildren(['rooms', $room]) → false",
      '    root → before /',
      '    $room → "r1"',
      '  $room.matches(/r/) → true',
      '    $room → "r1"',
    ],
  ],
  ['true', ['true → true']],
])('[R102] the trace of %s lists the evaluated sub-expressions', (text, expected) => {
  const trace = traceText(text, { ...AT_ROOM, before: BEFORE, after: '{"rooms":{"r1":{"n":2}}}' });
  expect(linesOf(text, trace.step)).toEqual(expected);
});

test('[R102] a trace has the rule, the path for which it was evaluated, and whether it holds', () => {
  const { step: _, ...trace } = traceText('newData.exists()', { ...AT_ROOM, after: BEFORE });
  expect(trace).toEqual({ kind: 'write', location: '/rooms/$room', place: '/rooms/r1', holds: true });
  expect(traceText('data.exists()', AT_ROOM).holds).toBe(false);
  expect(traceText('auth.none.length > 1', AT_ROOM).holds).toBe(false);
  expect(traceText('true', {}).location).toBe('/');
});

test('[R103] a trace shows the reason for an error', () => {
  expect(traceText('auth.name.length > 1', AT_ROOM).step.value).toEqual({
    kind: 'error',
    message:
      'The target of .length is null, but must be a string. Test for null first, as in "x != null && …".',
  });
});

test.each([
  ['1 / 0', 'NaN'],
  ['9e307 + 9e307', 'Infinity'],
  ['-9e307 - 9e307', '-Infinity'],
])('[R243] the result of %s, which JSON cannot represent, is shown as %s', (text, shownAs) => {
  const { step } = traceText(`${text} > 2`, AT_ROOM);
  expect(step.steps[0]?.value).toEqual({ kind: 'not-finite', text: shownAs });
});
