import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleTexts } from '../model/rule-text.arbitrary.ts';
import { expressionArbitrary } from './expression.arbitrary.ts';
import { parseExpression, parsePrintedExpression } from './parser.ts';
import { printExpression } from './printer.ts';
import { withoutSpans } from './without-spans.fixture.ts';

const parse = (text: string) => parseExpression(text, (index) => index);

test.each([
  ['(a)', 'a'],
  ['((a+b)+c)', 'a + b + c'],
  ['a+(b+c)', 'a + (b + c)'],
  ['(a*b)+(c/d)', 'a * b + c / d'],
  ['(a||b)&&(c&&d)', '(a || b) && (c && d)'],
  ['(a?b:c)?(d?e:f):(g?h:i)', '(a ? b : c) ? d ? e : f : g ? h : i'],
  ['(!a).b', '(!a).b'],
  ['!(a.b)', '!a.b'],
  ['!(!a)', '!!a'],
  ['-(-a)', '- -a'],
  ['- - -a', '- - -a'],
  ['-(!a)', '-!a'],
  ['-(-a).b', '-(-a).b'],
  ['a- -b', 'a - -b'],
  ['a["b"]["c d"][e]', "a.b['c d'][e]"],
  ['1 .a', '(1).a'],
  ['"it\'s"', "'it\\'s'"],
  ["'\\u000a\\\\\\ud800'", "'\\n\\\\\\ud800'"],
  ["'\\0\\u0001\\t\\b'", "'\\x00\\x01\\t\\b'"],
  ['a.hasChildren( [ b , "c" ] )', "a.hasChildren([b, 'c'])"],
  ['a /* b */ == // c\n null', 'a == null'],
  ['/[/]\\//i', '/[/]\\//i'],
])('[R35] %j is printed as %j', (text, printed) => {
  expect(printExpression(parse(text))).toBe(printed);
});

test('[R35] a printed expression parses to the same expression', () => {
  fc.assert(
    fc.property(expressionArbitrary, (expression) => {
      expect(withoutSpans(parsePrintedExpression(printExpression(expression)))).toEqual(
        withoutSpans(expression),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('[R35] rules as users write them are printed as the same expression', () => {
  fc.assert(
    fc.property(ruleTexts({ kind: 'write', wildcards: ['$a'] }), (text) => {
      const expression = parse(text);
      expect(withoutSpans(parsePrintedExpression(printExpression(expression)))).toEqual(
        withoutSpans(expression),
      );
    }),
  );
});

/**
 * The parser accepts these expressions as written. Their printed form may be longer or more deeply nested
 * than the limits allow.
 */
test.each([
  ['many signs', `${'- '.repeat(60)}1 == 1`],
  ['line breaks', `'${'\\n'.repeat(30_000)}' == auth.uid`],
  ['control characters', `'${'\u0001'.repeat(60_000)}' == auth.uid`],
  [
    'omitted spaces',
    Array(900)
      .fill(`root.child('${'x'.repeat(56)}')`)
      .join('=='),
  ],
  ['quotes', `"${"'".repeat(60_000)}" == auth.uid`],
  ['a member of a number at the maximum depth', `${'('.repeat(99)}1 .a${')'.repeat(99)} == 1`],
])('[R35][R280] printed text with %s is parsed', (_, text) => {
  const expression = parse(text);
  expect(withoutSpans(parsePrintedExpression(printExpression(expression)))).toEqual(withoutSpans(expression));
});

test('[R35] printed signs and line breaks stay within the limits of the parser', () => {
  for (const text of [`${'- '.repeat(60)}1 == 1`, `'${'\\n'.repeat(30_000)}' == auth.uid`])
    expect(withoutSpans(parse(printExpression(parse(text))))).toEqual(withoutSpans(parse(text)));
});
