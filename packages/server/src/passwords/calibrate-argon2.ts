import { deriveArgon2 } from './argon2.ts';
import { type Argon2Cost, DEFAULT_ARGON2_COST } from './argon2-cost.ts';

/** The most passes that Firebase imports. */
const MAX_PASSES = 16;
const SAMPLES = 5;

/**
 * A cost with which one hash takes about `targetMs` on this machine: passes from 2 to 16 over the default memory. Keeps the
 * event loop busy for some hashes. Keep the answer: hashes of another cost cost twice, once to verify and once to hide that
 * they are different.
 */
export function calibrateArgon2(targetMs: number, elapsedMs: () => number): Argon2Cost {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const startedMs = elapsedMs();
    deriveArgon2('argon2id', {
      password: new Uint8Array(16),
      salt: new Uint8Array(16),
      cost: DEFAULT_ARGON2_COST,
      lengthBytes: 32,
    });
    fastestMs = Math.min(fastestMs, elapsedMs() - startedMs);
  }
  return { ...DEFAULT_ARGON2_COST, passes: passesWithin(targetMs, fastestMs) };
}

function passesWithin(targetMs: number, defaultMs: number): number {
  const passes = Math.floor((targetMs / defaultMs) * DEFAULT_ARGON2_COST.passes);
  return Math.min(Math.max(passes, DEFAULT_ARGON2_COST.passes), MAX_PASSES);
}
