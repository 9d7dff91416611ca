import type { HashParameters } from './hash-parameters.ts';

/** What scrypt does for one password (N·r·p): as much as with all its memory (128 MiB) once. */
const MAX_SCRYPT_WORK = 2 ** 20;

/** Memory times passes of the version of Argon2 that a script computes, which takes as long as 16 passes of the other. */
const MAX_SCRIPTED_ARGON2_KIB = 2 ** 16;

/**
 * Says why hashes with such parameters are not taken in; `undefined` when they are. One password may take about a second of
 * a slow machine, since people of all projects wait for the same few places. Parameters that were kept earlier go on to work.
 */
export function checkHashCost(parameters: HashParameters): string | undefined {
  switch (parameters.kind) {
    case 'standard-scrypt': {
      const { cpuMemCost, blockSize, parallelization } = parameters;
      if (cpuMemCost * blockSize * parallelization <= MAX_SCRYPT_WORK) return undefined;
      return `One password would take too long: cpuMemCost times blockSize times parallelization is at most ${MAX_SCRYPT_WORK}.`;
    }
    case 'argon2': {
      const { memoryKiB, passes } = parameters.cost;
      if (parameters.version === 0x13 || memoryKiB * passes <= MAX_SCRIPTED_ARGON2_KIB) return undefined;
      return `One password would take too long: with VERSION_10, memoryCostKib times iterations is at most ${MAX_SCRIPTED_ARGON2_KIB}.`;
    }
    default:
      return undefined;
  }
}
