import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionArbitrary } from './expression.arbitrary.ts';
import { ruleTexts } from './model/rule-text.arbitrary.ts';
import { parseExpression } from './parse-expression.ts';
import { printExpression } from './print-expression.ts';
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
  ['-(-a)', '-(-a)'],
  ['a- -b', 'a - -b'],
  ['a["b"]["c d"][e]', "a.b['c d'][e]"],
  ['1 .a', '(1).a'],
  ['"it\'s"', "'it\\'s'"],
  ["'\\n\\\\\\ud800'", "'\\u000a\\\\\\ud800'"],
  ['a.hasChildren( [ b , "c" ] )', "a.hasChildren([b, 'c'])"],
  ['a /* b */ == // c\n null', 'a == null'],
  ['/[/]\\//i', '/[/]\\//i'],
])('[R35] %j is printed as %j', (text, printed) => {
  expect(printExpression(parse(text))).toBe(printed);
});

test('[R35] what is printed is read as the same expression', () => {
  fc.assert(
    fc.property(expressionArbitrary, (expression) => {
      expect(withoutSpans(parse(printExpression(expression)))).toEqual(withoutSpans(expression));
    }),
    { numRuns: 1_000 },
  );
});

test('[R35] rules as people write them are printed as the same expression', () => {
  fc.assert(
    fc.property(ruleTexts({ kind: 'write', captures: ['$a'] }), (text) => {
      const expression = parse(text);
      expect(withoutSpans(parse(printExpression(expression)))).toEqual(withoutSpans(expression));
    }),
  );
});
