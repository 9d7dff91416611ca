import { type Argon2Algorithm, argon2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Argon2Cost } from './argon2-cost.ts';

const deriveInThreadPool = promisify(argon2);

const NO_BYTES = new Uint8Array();

export interface Argon2Input {
  readonly password: Uint8Array;
  /** At least 8 bytes. */
  readonly salt: Uint8Array;
  readonly cost: Argon2Cost;
  readonly lengthBytes: number;
  readonly associatedData?: Uint8Array;
}

/** Argon2, version 0x13, computed in Node's thread pool. */
export function deriveArgon2(variant: Argon2Algorithm, input: Argon2Input): Promise<Uint8Array> {
  return deriveInThreadPool(variant, {
    message: input.password,
    nonce: input.salt,
    memory: input.cost.memoryKiB,
    passes: input.cost.passes,
    parallelism: input.cost.parallelism,
    tagLength: input.lengthBytes,
    associatedData: input.associatedData ?? NO_BYTES,
  });
}
