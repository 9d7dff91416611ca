import { expect, test } from 'vitest';
import { didYouMean } from './problems.ts';

const NAMES = ['val', 'child', 'parent', 'hasChild', 'hasChildren', 'exists', 'isString', '$room'];

test.each([
  ['haschild', 'hasChild'],
  ['hasChidl', 'hasChild'],
  ['hasChilds', 'hasChild'],
  ['hasChildrens', 'hasChildren'],
  ['exist', 'exists'],
  ['isStrnig', 'isString'],
  ['vall', 'val'],
  ['vla', 'val'],
  ['$rooms', '$room'],
  ['child', 'child'],
])('[R69] for %s the suggestion is %s', (name, meant) =>
  expect(didYouMean(name, NAMES)).toBe(` Did you mean '${meant}'?`),
);

test.each([['x'], ['value'], [''], ['toLowerCase'], ['$r'], ['x'.repeat(100_000)]])(
  '[R69] for %s there is no suggestion',
  (name) => {
    expect(didYouMean(name, NAMES)).toBe('');
  },
);

test('[R69] the suggestion is an exact match, otherwise the first of the nearest names', () => {
  expect(didYouMean('dota', ['data', 'dots'])).toContain("'data'");
  expect(didYouMean('dots', ['data', 'dots'])).toContain("'dots'");
  expect(didYouMean('Data', ['data'])).toBe(" Did you mean 'data'?");
});

test('[R69] names that are too long are not compared', () => {
  const long = Array.from({ length: 8 }, () => 'x'.repeat(2 ** 24));
  expect(didYouMean('x'.repeat(40), [...long, 'x'.repeat(53)])).toBe(` Did you mean '${'x'.repeat(53)}'?`);
});
