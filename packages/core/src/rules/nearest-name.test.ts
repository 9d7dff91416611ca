import { expect, test } from 'vitest';
import { didYouMean, findNearestName } from './nearest-name.ts';

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
])('[R69] for %s somebody meant %s', (name, meant) => expect(findNearestName(name, NAMES)).toBe(meant));

test.each([['x'], ['value'], [''], ['toLowerCase'], ['$r'], ['x'.repeat(100_000)]])(
  '[R69] nothing is near %s',
  (name) => {
    expect(findNearestName(name, NAMES)).toBeUndefined();
    expect(didYouMean(name, NAMES)).toBe('');
  },
);

test('[R69] the first of equally near names counts, and an exact one before all', () => {
  expect(findNearestName('dota', ['data', 'dots'])).toBe('data');
  expect(findNearestName('dots', ['data', 'dots'])).toBe('dots');
  expect(didYouMean('Data', ['data'])).toBe(" Did you mean 'data'?");
});
