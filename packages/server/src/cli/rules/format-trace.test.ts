import type { TraceValue } from '@hearth/core/rules/explain/trace.ts';
import { expect, test } from 'vitest';
import { formatExplanation, formatTrace } from './format-trace.ts';
import { PLAIN } from './terminal.ts';
import { type ShownStep, type ShownValue, showExplanation } from './trace.ts';

const scalar = (value: boolean | number | string | null): TraceValue => ({ kind: 'scalar', value });
const at = (path: string | null, tree: 'before' | 'after' = 'before'): TraceValue => ({
  kind: 'snapshot',
  tree,
  path,
});

/** Returns a step for the first occurrence of `text` in the source. */
function step(source: string, text: string, value: ShownValue, ...steps: readonly ShownStep[]): ShownStep {
  const start = source.indexOf(text);
  return { span: { start, end: start + text.length }, value, steps };
}

test('[H283] a trace has an indented line for every relevant part, with its value in a column next to it', () => {
  const source = "auth.uid != null && data.child('a').child('open').val() == true";
  const trace = step(
    source,
    source,
    scalar(false),
    step(
      source,
      'auth.uid != null',
      scalar(true),
      step(source, 'auth.uid', scalar('u1'), step(source, 'auth', { kind: 'json', value: { uid: 'u1' } })),
    ),
    step(
      source,
      "data.child('a').child('open').val() == true",
      scalar(false),
      step(
        source,
        "data.child('a').child('open').val()",
        scalar(null),
        step(
          source,
          "data.child('a').child('open')",
          at('/r/a/open'),
          step(source, "data.child('a')", at('/r/a'), step(source, 'data', at('/r'))),
        ),
      ),
    ),
  );
  expect(formatTrace(trace, source, PLAIN)).toEqual([
    "auth.uid != null && data.child('a').child('open').val() == true  false",
    '  auth.uid != null                                               true',
    '    auth.uid                                                     "u1"',
    "  data.child('a').child('open').val() == true                    false",
    "    data.child('a').child('open').val()                          null",
    "      data.child('a').child('open')                              /r/a/open",
  ]);
});

test('[H283] the operands of a chain have the same indentation', () => {
  const source = 'a.b && c.d && (e.f || g.h) && x.y';
  const leaf = (text: string, value: boolean): ShownStep => step(source, text, scalar(value));
  const or = step(source, 'e.f || g.h', scalar(false), leaf('e.f', false), leaf('g.h', false));
  const two = step(source, 'a.b && c.d', scalar(true), leaf('a.b', true), leaf('c.d', true));
  const three = step(source, 'a.b && c.d && (e.f || g.h)', scalar(false), two, or);
  expect(formatTrace(step(source, source, scalar(false), three), source, PLAIN)).toEqual([
    'a.b && c.d && (e.f || g.h) && x.y  false',
    '  a.b                              true',
    '  c.d                              true',
    '  e.f || g.h                       false',
    '    e.f                            false',
    '    g.h                            false',
  ]);
});

test('[H283] an error is shown where it arises; long texts are cut; line breaks become spaces', () => {
  const source = `!(newData.val()\n  > 5) || ${'x'.repeat(80)}`;
  const error: TraceValue = { kind: 'error', message: 'the left operand of > is null' };
  const comparison = step(
    source,
    'newData.val()\n  > 5',
    error,
    step(source, 'newData.val()', scalar(null), step(source, 'newData', at('/', 'after'))),
  );
  const trace = step(source, source, error, step(source, '!(newData.val()\n  > 5)', error, comparison));
  const lines = formatTrace(trace, source, PLAIN);
  expect(
    lines.map((line) => line.trimEnd().replace(/ {2,}/g, (gap) => (gap.length > 6 ? ' | ' : gap))),
  ).toEqual([
    expect.stringMatching(/^!\(newData\.val\(\) > 5\) \|\| x+… {2}error$/),
    '  !(newData.val() > 5) | error',
    '    newData.val() > 5 | error: the left operand of > is null',
    '      newData.val() | null',
  ]);
});

test.each<[ShownValue, string]>([
  [{ kind: 'object' }, '{…}'],
  [{ kind: 'json', value: { uid: 'a'.repeat(80) } }, `{"uid":"${'a'.repeat(51)}…`],
  [at(null), 'an invalid path'],
  [at('/a', 'after'), '/a as written'],
  [{ kind: 'redacted', of: 'string', length: 12 }, 'a string of 12 characters (not stored)'],
  [{ kind: 'not-finite', text: 'NaN' }, 'NaN'],
  [{ kind: 'cut', of: 'string', start: 'ab\n', length: 5_000 }, '"ab\\n… (5,000 characters)'],
  [
    { kind: 'cut', of: 'json', start: 'x'.repeat(1_000), length: 5_000 },
    `${'x'.repeat(59)}… (5,000 characters)`,
  ],
  [{ kind: 'redacted', of: 'number', length: null }, 'a number (not stored)'],
])('[H283] %j is formatted as %s', (value, text) => {
  expect(formatTrace(step('now', 'now', value), 'now', PLAIN)).toEqual([`now  ${text}`]);
});

test('[H283] an explanation is a sentence and the evaluated rules; a rule that holds but does not decide is one line', () => {
  const source = '{"rules":{".write":"auth != null","$a":{".validate":"false"}}}';
  const write = {
    kind: 'write' as const,
    location: '/',
    place: '/',
    holds: true,
    step: step(source, 'auth != null', scalar(true)),
  };
  const validate = {
    kind: 'validate' as const,
    location: '/$a',
    place: '/x',
    holds: false,
    step: step(source, 'false', scalar(false)),
  };
  const explanation = {
    isAllowed: false,
    deniedPath: '/x',
    rules: [write, validate],
    deciding: { ...validate },
  };
  const rules = { name: 'r.json', source };
  expect(formatExplanation(showExplanation(explanation, rules), PLAIN)).toEqual([
    'Denied: .validate of /$a does not hold for /x.',
    '',
    '.write of / holds  r.json:1:21',
    '',
    '.validate of /$a for /x does not hold  r.json:1:54',
    '  false  false',
  ]);
  const allowed = { isAllowed: true, deniedPath: null, rules: [write], deciding: write };
  expect(formatExplanation(showExplanation(allowed, rules), PLAIN)[0]).toBe(
    'Allowed: .write of / holds for /.',
  );
  const none = { isAllowed: false, deniedPath: '/x', rules: [], deciding: null };
  expect(formatExplanation(showExplanation(none, rules), PLAIN)).toEqual([
    'Denied: no rule exists at or above /x.',
  ]);
  const denied = { ...none, rules: [{ ...write, holds: false }], deciding: { ...write, holds: false } };
  expect(formatExplanation(showExplanation(denied, rules), PLAIN)[0]).toBe(
    'Denied: no .write at or above /x holds.',
  );
});
