import { expect, test } from 'vitest';
import { type ExpressionCoverage, summarizeCoverage } from './coverage.ts';

const SOURCE = `{"rules": {
  ".read": "auth != null && (data.exists() || now > 5)",
  ".write": true
}}`;

/** Returns the coverage of the expression with this text. */
function counts(text: string, timesTrue: number, timesFalse: number, timesInError = 0): ExpressionCoverage {
  const start = SOURCE.indexOf(text);
  return { span: { start, end: start + text.length }, timesTrue, timesFalse, timesInError };
}

function gapsOf(...expressions: readonly ExpressionCoverage[]): readonly string[] {
  const { gaps } = summarizeCoverage(SOURCE, [{ kind: 'read', location: '/', expressions }]);
  return gaps.map(({ line, column, gap, text }) => `${line}:${column} ${gap}: ${text}`);
}

test('[R209] coverage lists the results that an expression never had, in the order of the document', () => {
  expect(
    gapsOf(counts('now > 5', 0, 2), counts('auth != null', 3, 0), counts('data.exists()', 0, 0, 1)),
  ).toEqual([
    '2:13 never false: auth != null',
    '2:30 only in error: data.exists()',
    '2:47 never true: now > 5',
  ]);
  expect(gapsOf(counts('auth != null', 1, 1, 4))).toEqual([]);
});

test('[R209] coverage omits parts of an expression that was never evaluated, and an expression with a part that is listed', () => {
  expect(
    gapsOf(
      counts('auth != null && (data.exists() || now > 5)', 0, 1),
      counts('auth != null', 0, 1),
      counts('data.exists() || now > 5', 0, 0),
      counts('data.exists()', 0, 0),
      counts('now > 5', 0, 0),
    ),
  ).toEqual(['2:13 never true: auth != null', '2:30 never evaluated: data.exists() || now > 5']);
});

test('[R209] an expression whose parts had both results is listed itself', () => {
  expect(gapsOf(counts('data.exists() || now > 5', 4, 0), counts('data.exists()', 1, 1))).toEqual([
    '2:30 never false: data.exists() || now > 5',
  ]);
});

test('[R209] a rule that is only the literal true or false is not counted', () => {
  const summary = summarizeCoverage(SOURCE, [
    { kind: 'write', location: '/', expressions: [counts('true', 0, 0)] },
    { kind: 'read', location: '/', expressions: [counts('auth != null', 1, 2), counts('now > 5', 1, 0)] },
  ]);
  expect(summary).toMatchObject({ expressions: 2, covered: 1, gaps: [{ rule: 'read', location: '/' }] });
});

test('[R209] the gaps of 200,000 expressions are found', () => {
  const line = 'now > 1\n';
  const count = 200_000;
  const expressions = Array.from({ length: count }, (_, i) => {
    const start = i * line.length;
    return { span: { start, end: start + 7 }, timesTrue: 1, timesFalse: 0, timesInError: 0 };
  });
  const { gaps } = summarizeCoverage(line.repeat(count), [{ kind: 'read', location: '/', expressions }]);
  expect(gaps).toHaveLength(count);
  expect(gaps.at(-1)).toMatchObject({ line: count, column: 1, gap: 'never false' });
});
