/** Throws if `condition` is false. Only a bug in the code can make it false. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${message}`);
}

/** Returns the value. Throws if it is `undefined` or `null`, which only a bug can cause. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`Bug: ${message}`);
  return value;
}
