import { compareIndexValues, type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSortValue, encodeSortValue, isCutValue, MAX_STRING_PART_BYTES } from './sort-encoding.ts';

const units = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xffff),
);
const strings = fc.string({ unit: units.map((unit) => String.fromCharCode(unit)), maxLength: 6 });
const longStrings = fc
  .tuple(fc.integer({ min: 505, max: 513 }), strings)
  .map(([length, end]) => 'x'.repeat(length) + end);
const values: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom<IndexValue>(
    null,
    false,
    true,
    OBJECT,
    0,
    1,
    -1,
    0.5,
    -0.5,
    2 ** 60,
    -(2 ** 60),
    5e-324,
    2n ** 62n,
    -(2n ** 62n),
  ),
  fc.double({ noNaN: true }),
  strings,
  longStrings,
);

test('[K13] byte order of sort values is the order of index values, except among strings cut to the same bytes', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const [left, right] = [encodeSortValue(a), encodeSortValue(b)];
      if (left.equals(right) && isCutValue(left)) return;
      expect(Math.sign(left.compare(right))).toBe(Math.sign(compareIndexValues(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('[K13] a sort value decodes to its value and its end, and short strings are never cut', () => {
  fc.assert(
    fc.property(values, (value) => {
      const bytes = encodeSortValue(value);
      const sorted = decodeSortValue(Buffer.concat([Buffer.alloc(2), bytes, Buffer.from([7])]), 2);
      expect(sorted.end).toBe(2 + bytes.length);
      expect(bytes.length).toBeLessThanOrEqual(MAX_STRING_PART_BYTES + 2);
      if (sorted.kind === 'cut') expect(String(value).length).toBeGreaterThan(100);
      else expect(compareIndexValues(sorted.value, value)).toBe(0);
    }),
    { numRuns: 3000 },
  );
});
