/** Throws when a condition that only a bug can break is broken. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${message}`);
}

/** The value, whose absence would be a bug. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`Bug: ${message}`);
  return value;
}
