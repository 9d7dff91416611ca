/**
 * The same with every array of bytes in memory of its own. What is sent to another thread is copied with all of the memory
 * that it is a view of, and small buffers are views of memory that they share with whatever else was in use.
 */
export function withOwnBytes<T>(value: T): T {
  if (value instanceof Uint8Array) return new Uint8Array(value) as T & Uint8Array;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withOwnBytes(part)])) as T;
}
