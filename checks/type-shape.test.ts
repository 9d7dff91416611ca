import { expect, test } from 'vitest';
import { constantValue } from './constant-value.ts';
import { parseDeclarations } from './module-declarations.ts';
import { kindNames, memberNames } from './type-shape.ts';

const module = parseDeclarations({
  path: 'a.ts',
  text: `
    const STEP_MS = 60 * 1_000;
    const LIMITS = { total: 2 ** 4, of: { one: (STEP_MS + 1) as number } } as const;
    const ALL = [...['a', 'b'], 'c'] as const;
    const MADE = new Set(ALL);
    const UNKNOWN = make();
    type Letter = (typeof ALL)[number];
    type Outcome = { readonly kind: 'done' } | Failure | { readonly kind: 'late' | 'early' };
    export interface Failure { readonly kind: 'failed'; readonly reason: string }
    interface Named { readonly id: string }
    interface Whole extends Omit<Failure, 'reason'>, Named { readonly state: 'on' | 'off'; run(): void }
    type Mixed = Named & Readonly<Pick<Whole, 'state'>>;
  `,
});

test.each([
  ['STEP_MS', 60_000],
  ['LIMITS.total', 16],
  ['LIMITS.of.one', 60_001],
  ['ALL', ['a', 'b', 'c']],
  ['MADE', ['a', 'b', 'c']],
  ['UNKNOWN', undefined],
  ['NONE', undefined],
])('[P38] the value of the constant %s is %j', (name, value) => {
  expect(constantValue(module, name)).toEqual(value);
});

test.each([
  ['Whole', ['kind', 'id', 'state']],
  ['Mixed', ['id', 'state']],
  ['Outcome', ['kind', 'reason']],
  ['None', []],
])('[P34] the members of %s are %j', (name, members) => {
  expect(memberNames(module, name)).toEqual(members);
});

test.each([
  ['Outcome', ['done', 'failed', 'late', 'early']],
  ['Letter', ['a', 'b', 'c']],
  ['ALL', ['a', 'b', 'c']],
  ['LIMITS', ['total', 'of']],
  ['Whole.state', ['on', 'off']],
  ['None', []],
])('[P35] the cases of %s are %j', (name, cases) => {
  expect(kindNames(module, name)).toEqual(cases);
});
