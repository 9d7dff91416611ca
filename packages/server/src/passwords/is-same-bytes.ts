import { timingSafeEqual } from 'node:crypto';

/** Whether two hashes are equal, in a time that depends on their lengths only. */
export function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
