import { expect, test } from 'vitest';
import { findBadKey } from './use-json-node.ts';

test.each([
  [{ a: { 'b.c': 1 } }, 'b.c'],
  [[1, { 'a/b': 1 }], 'a/b'],
  [{ '': 1 }, ''],
  [{ ['ä'.repeat(385)]: 1 }, 'ä'.repeat(385)],
  [{ '.sw': 1 }, '.sw'],
  [{ '.priority': 1, '.value': 2, مفتاح: [1, 2], __proto: null }, undefined],
  ['a.b', undefined],
])('[C81] the first invalid key in %j is %j', (json, key) => {
  expect(findBadKey(json)).toBe(key);
});
