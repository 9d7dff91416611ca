import { compareKeys } from '@hearth/core/tree/key.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSortKey, MAX_SORT_KEY_BYTES, sortKeyLength, writeSortKey } from './sort-encoding.ts';

const integerKeys = fc
  .tuple(fc.constantFrom('', '-'), fc.integer({ min: 0, max: 4 }), fc.nat(12_000_000_000))
  .map(([sign, zeros, digits]) => `${sign}${'0'.repeat(zeros)}${digits}`);
const textKeys = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  minLength: 1,
});
const keys = fc.oneof(
  integerKeys,
  textKeys,
  fc.constantFrom('0', '-0', '00', '-00', '2147483647', '2147483648', '-2147483648', '-2147483649', '-', 'a'),
);

test('[K10] byte order of sort keys is key order', () => {
  fc.assert(
    fc.property(keys, keys, (a, b) => {
      expect(Math.sign(encode(a).compare(encode(b)))).toBe(compareKeys(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('[K11] a sort key decodes to its key, including lone surrogates and leading zeros', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(decodeSortKey(Buffer.concat([Buffer.alloc(3), encode(key)]), 3)).toBe(key);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['768 ASCII letters', 'k'.repeat(768)],
  ['192 characters of four bytes', '🔥'.repeat(192)],
  ['256 characters of three bytes', '\uffff'.repeat(256)],
  ['an integer of 768 digits', '7'.padStart(768, '0')],
])('[K12] the sort key of %s fits and decodes to the key', (_name, key) => {
  expect(sortKeyLength(key)).toBeLessThanOrEqual(MAX_SORT_KEY_BYTES);
  expect(decodeSortKey(encode(key), 0)).toBe(key);
});

function encode(key: string): Buffer {
  const bytes = Buffer.alloc(sortKeyLength(key));
  writeSortKey(key, bytes, 0);
  return bytes;
}
