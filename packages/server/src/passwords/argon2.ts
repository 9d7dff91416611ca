import { type Argon2Algorithm, argon2Sync } from 'node:crypto';
import type { Argon2Cost } from './argon2-cost.ts';

const NO_BYTES = new Uint8Array();

export interface Argon2Input {
  readonly password: Uint8Array;
  /** At least 8 bytes. */
  readonly salt: Uint8Array;
  readonly cost: Argon2Cost;
  readonly lengthBytes: number;
  readonly associatedData?: Uint8Array;
}

/**
 * Argon2, version 0x13. Keeps its thread busy. Best in a thread that has done it before: it has the memory for it, and so have
 * processors. Node's own pool takes its threads in turns, and each keeps as much memory as the costliest hash takes.
 */
export function deriveArgon2(variant: Argon2Algorithm, input: Argon2Input): Uint8Array {
  return argon2Sync(variant, {
    message: input.password,
    nonce: input.salt,
    memory: input.cost.memoryKiB,
    passes: input.cost.passes,
    parallelism: input.cost.parallelism,
    tagLength: input.lengthBytes,
    associatedData: input.associatedData ?? NO_BYTES,
  });
}
