import { expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { parseRules } from './compile/rules.ts';
import recorded from './recorded-verdicts.json' with { type: 'json' };

const UPLOADS = recorded.cases.flatMap(({ id, kind, rules, expect: { valid } }) =>
  kind === 'validity' && valid !== undefined ? [[id, JSON.stringify(rules), valid] as const] : [],
);

test('[R71] there are recorded uploads of valid and of invalid rules', () => {
  expect(UPLOADS.filter(([, , isValid]) => isValid)).toHaveLength(158);
  expect(UPLOADS.filter(([, , isValid]) => !isValid)).toHaveLength(28);
});

test.each(UPLOADS)('[R71] upload %i: %s is valid: %s', (_id, source, isValid) => {
  if (isValid) expect(parseRules(source).source).toBe(source);
  else expect(() => parseRules(source)).toThrow(RequestError);
});
