import fc from 'fast-check';
import { expect, test } from 'vitest';
import { halve } from './apply-staged.ts';

test('[C334] of many places, those that others have changed are found by few questions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 999 }), { maxLength: 5 }), async (changed) => {
      let asked = 0;
      const items = Array.from({ length: 1_000 }, (_, index) => index);
      const found = await halve(items, async (part) => {
        asked += 1;
        return !part.some((item) => changed.includes(item));
      });
      expect(found).toEqual(changed.toSorted((a, b) => a - b));
      expect(asked).toBeLessThanOrEqual(1 + changed.length * 2 * Math.ceil(Math.log2(1_000)));
    }),
    { numRuns: 30 },
  );
});
