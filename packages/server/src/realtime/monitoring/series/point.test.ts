import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePoint, encodePoint } from './point.ts';

const float = fc.float({ min: 0, noNaN: true, noDefaultInfinity: true });
const points = fc.record({
  period: fc.nat(2 ** 32 - 1),
  reads: float,
  writes: float,
  denied: float,
  sentBytes: float,
  receivedBytes: float,
  connections: float,
  p50Ms: fc.option(float, { nil: null }),
  p99Ms: fc.option(float, { nil: null }),
  storeBytes: float,
});

test('[H683] a stored point is decoded as it was encoded, unless another generation of the ring wrote it', () => {
  fc.assert(
    fc.property(points, fc.nat(), (point, generation) => {
      const bytes = encodePoint(generation, point);
      expect(decodePoint(generation, bytes)).toEqual(point);
      expect(decodePoint(generation + 1, bytes)).toBeUndefined();
      expect(decodePoint(generation, bytes.subarray(1))).toBeUndefined();
    }),
  );
});
