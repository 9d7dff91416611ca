import type { Argon2Cost } from './argon2.ts';

/** The lowest cost of hashing, so that tests are fast. */
export const CHEAP_COST: Argon2Cost = { memoryKiB: 8, passes: 1, parallelism: 1 };
