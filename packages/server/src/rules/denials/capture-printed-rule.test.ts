import { parseExpression } from '@hearth/core/rules/syntax/parser.ts';
import { expect, test } from 'vitest';
import { readRequest } from './authorization-request.fixture.ts';
import { recordDenial } from './capture.ts';
import { evaluateDenial } from './evaluate.ts';
import { decodeDenial, encodeDenial, printRule, ruleOf } from './record.ts';

/** Rules that are accepted as written, but are longer than the limit when printed. */
const LONG = [
  ['control characters', `'${'\u0001'.repeat(40_000)}' == auth.uid`],
  [
    'operators without spaces',
    `${Array(900)
      .fill(`root.child('${'x'.repeat(47)}').exists()`)
      .join('&&')}`,
  ],
  ['quotes', `"${"'".repeat(60_000)}" == auth.uid`],
] as const;

test.each(LONG)('[R280] the printed form of a rule with %s can be parsed', (_, text) => {
  const expression = parseExpression(text, (index) => index);
  const printed = printRule(ruleOf('read', [], expression));
  expect(printed.text.length).toBeGreaterThan(65_536);
  expect(printed.rule.expression.span).toEqual({ start: 0, end: printed.text.length });
});

test.each(LONG)('[R280][R172] a denial by a rule with %s is stored', (_, text) => {
  const denial = recordDenial(readRequest(JSON.stringify({ rules: { '.read': text } }), '/'), false);
  expect(evaluateDenial({ ...denial, id: 1 }).isAllowed).toBe(false);
  expect(decodeDenial(1, encodeDenial(denial)).rules).toHaveLength(1);
});
