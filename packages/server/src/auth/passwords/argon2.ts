import { argon2Sync } from 'node:crypto';

export type Argon2Variant = 'argon2d' | 'argon2i' | 'argon2id';
/** 0x13 is the current version. 0x10 was current until 2016. */
export type Argon2Version = 0x10 | 0x13;

/** The cost of computing one argon2id hash. */
export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Within the limits of Firebase imports, so that accounts can move there with their passwords. */
export const DEFAULT_ARGON2_COST: Argon2Cost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

export function isSameCost(left: Argon2Cost, right: Argon2Cost): boolean {
  return (
    left.memoryKiB === right.memoryKiB &&
    left.passes === right.passes &&
    left.parallelism === right.parallelism
  );
}

/**
 * Returns whether a hash of this cost should be replaced, because it uses less memory or fewer passes than `wanted`. A
 * costlier hash is kept: otherwise a server that measures a lower cost would weaken existing hashes.
 */
export function isWeakerCost(cost: Argon2Cost, wanted: Argon2Cost): boolean {
  return cost.memoryKiB < wanted.memoryKiB || cost.passes < wanted.passes;
}

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
 * Computes Argon2, version 0x13. Blocks its thread. A thread that has computed Argon2 before is faster, because its
 * memory and the processor caches are ready. So callers do not use Node's own thread pool: it rotates its threads,
 * and each of them would keep as much memory as the most expensive hash needs.
 */
export function deriveArgon2(variant: Argon2Variant, input: Argon2Input): Uint8Array {
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

/**
 * Computes Argon2, version 0x10, which Node does not support. Blocks its thread, for about eight times as long
 * as `deriveArgon2`. Loads its code on first use.
 */
export async function deriveArgon2Version10(variant: Argon2Variant, input: Argon2Input): Promise<Uint8Array> {
  const variants = await import('@noble/hashes/argon2.js');
  const { memoryKiB, passes, parallelism } = input.cost;
  return variants[variant](input.password, input.salt, {
    version: 0x10,
    m: memoryKiB,
    t: passes,
    p: parallelism,
    dkLen: input.lengthBytes,
    personalization: input.associatedData ?? NO_BYTES,
  });
}
