/** What one argon2id hash costs whoever computes it. */
export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Within what Firebase imports, so that accounts can move there with their passwords. */
export const DEFAULT_ARGON2_COST: Argon2Cost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

export function isSameCost(left: Argon2Cost, right: Argon2Cost): boolean {
  return (
    left.memoryKiB === right.memoryKiB &&
    left.passes === right.passes &&
    left.parallelism === right.parallelism
  );
}

/**
 * Whether a hash of this cost should be made anew. One that costs more in one way and not less in another should not: a
 * server that measures a lower cost would otherwise weaken what it has.
 */
export function isWeakerCost(cost: Argon2Cost, wanted: Argon2Cost): boolean {
  return cost.memoryKiB < wanted.memoryKiB || cost.passes < wanted.passes;
}
