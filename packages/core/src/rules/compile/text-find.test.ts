import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findText } from './text.ts';

/** Number of repeats that makes a text so long that `findText` uses the linear search. */
const LONG = 3_000;

test('[R90] findText returns the same index as indexOf, in long texts too', () => {
  const textArbitrary = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((units) => units.join(''));
  fc.assert(
    fc.property(textArbitrary, textArbitrary, textArbitrary, fc.nat(10), (unit, tail, start, from) => {
      const text = `${start}${unit.repeat(LONG)}${tail}${unit.repeat(LONG)}`;
      const sought = `${unit.repeat(LONG - 1)}${tail}${start}`;
      expect(findText(text, sought, from)).toBe(text.indexOf(sought, from));
      expect(findText(text, unit, from)).toBe(text.indexOf(unit, from));
    }),
  );
});

test.each([
  ['', '', 0],
  ['a', '', 0],
  ['', 'a', -1],
  ['abcab', 'ab', 0],
  ['abc', 'abcd', -1],
])('[R90] in %j, %j has the index %d', (text, sought, expected) => {
  expect(findText(text, sought)).toBe(expected);
});

test('[R90] findText is fast on a text for which indexOf is not linear', () => {
  const half = 'a'.repeat(200_000);
  expect(findText(`${'a'.repeat(1_000_000)}b${half}`, `${half}b${half}`)).toBe(800_000);
  expect(findText(`${'a'.repeat(1_000_000)}b`, `${half}b${half}`)).toBe(-1);
});
