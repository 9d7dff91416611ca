import { expect, test } from 'vitest';
import { DEFAULT_ARGON2_COST } from './argon2.ts';
import { calibrateArgon2 } from './argon2-calibration.ts';

test.each([
  ['too slow for the target', 100, 50, 2],
  ['as fast as the target', 50, 50, 2],
  ['three times as fast', 50, 150, 6],
  ['too fast for the maximum number of passes', 1, 1000, 16],
])(
  '[I66] a machine that is %s (%i ms for the default, target %i ms) hashes with %i passes',
  (_name, hashMs, targetMs, passes) => {
    let reads = 0;
    const elapsedMs = (): number => Math.ceil(reads++ / 2) * hashMs;
    expect(calibrateArgon2(targetMs, elapsedMs)).toEqual({ ...DEFAULT_ARGON2_COST, passes });
  },
);
