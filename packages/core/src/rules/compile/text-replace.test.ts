import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_TEXT_UNITS, replaceText } from './text.ts';

test('[R88] replaceText works like replaceAll, but without replacement patterns', () => {
  const textArbitrary = fc
    .array(fc.constantFrom('a', 'b', '$', '&'), { maxLength: 8 })
    .map((units) => units.join(''));
  fc.assert(
    fc.property(textArbitrary, textArbitrary, textArbitrary, (text, sought, by) => {
      expect(replaceText(text, sought, by)).toBe(text.replaceAll(sought, () => by));
    }),
  );
});

test('[R88] replaceText replaces any number of occurrences', () => {
  expect(replaceText('ab'.repeat(10_000), 'b', 'cd')).toBe('acd'.repeat(10_000));
  expect(replaceText('b'.repeat(4096), 'b', 'c')).toBe('c'.repeat(4096));
});

test('[R89] replaceText returns no string above the maximum length', () => {
  const text = 'ab'.repeat(MAX_TEXT_UNITS / 4);
  expect(replaceText(text, 'a', 'aaa')).toHaveLength(MAX_TEXT_UNITS);
  expect(replaceText(`${text}a`, 'a', 'aaa')).toBeNull();
});
