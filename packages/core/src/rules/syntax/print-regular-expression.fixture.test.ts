import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printRegularExpression } from './print-regular-expression.fixture.ts';
import { regularExpressionArbitrary } from './regular-expression.arbitrary.ts';
import { parseRegularExpression } from './regular-expression-parser.ts';

const parse = (source: string, flags = '') => parseRegularExpression(source, flags, (index) => index);

test.each([
  ['^(a)(b|c)+$', '^a(b|c)+$'],
  ['((a|b)|c)', '(a|b)|c'],
  ['a{1,}b{0,}c{0,1}d{2,2}e{2,3}', 'a+b*c?d{2}e{2,3}'],
  ['(a*)*(bc){3}', '(a*)*(bc){3}'],
  ['}a]\\d\\n/', '\\}a\\][\\d]\\u000a\\/'],
  ['[^a-c\\-]', '[^a-c\\-]'],
])('[R37] %s is printed as %s', (source, printed) => {
  expect(printRegularExpression(parse(source))).toBe(printed);
});

test('[R37] a printed pattern parses to the same pattern', () => {
  fc.assert(
    fc.property(regularExpressionArbitrary, (expression) => {
      expect(parse(expression.source, expression.ignoresCase ? 'i' : '')).toEqual(expression);
    }),
    { numRuns: 1_000 },
  );
});
