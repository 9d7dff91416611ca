import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('[I100] an entry stays until half the maximum of other entries were used after it, and the size never exceeds the maximum, rounded up to an even number', () => {
  const touch = fc.record({ key: fc.nat(9).map(String), isWrite: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(touch, { maxLength: 60 }), (maxSize, touches) => {
      const map = new RecentMap<number>(maxSize);
      const written = new Map<string, number>();
      /** The used keys, the latest last. */
      let touched: readonly string[] = [];
      for (const [time, { key, isWrite }] of touches.entries()) {
        const isKept = touched.slice(-Math.floor(maxSize / 2)).includes(key) && maxSize > 1;
        if (isWrite) {
          map.write(key, time);
          written.set(key, time);
        } else {
          const found = map.find(key);
          if (found === undefined) expect(isKept).toBe(false);
          else expect(found).toBe(written.get(key));
          if (found === undefined) continue;
        }
        touched = [...touched.filter((other) => other !== key), key];
        expect(map.size).toBeLessThanOrEqual(maxSize + (maxSize % 2));
      }
    }),
  );
});

test('[I100] entries with long keys are not stored, and removed entries are gone', () => {
  const map = new RecentMap<number>(2, 10);
  map.write('x'.repeat(11), 1);
  map.write('y'.repeat(10), 2);
  map.write('yz', 3);
  expect(map.listKeys('y')).toEqual(['yz', 'y'.repeat(10)]);
  map.remove('y'.repeat(10));
  expect([map.size, map.find('x'.repeat(11)), map.find('yz')]).toEqual([1, undefined, 3]);
  map.clear();
  expect(map.size).toBe(0);
});

test('[I100] entries of different sizes never take more than the maximum together, and the latest ones stay', () => {
  const entry = fc.record({ key: fc.nat(9).map(String), size: fc.integer({ min: 1, max: 7 }) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), fc.nat(9).map(String), (entries, removed) => {
      const map = new RecentMap<number>(10, 10, (size) => size);
      for (const { key, size } of entries) {
        map.write(key, size);
        if (size > 5) expect(map.find(key)).toBeUndefined();
        else expect(map.find(key)).toBe(size);
        map.remove(removed);
        const sizes = map.listKeys('').map((known) => map.find(known) ?? 0);
        expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
