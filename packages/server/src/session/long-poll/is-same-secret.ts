import { timingSafeEqual } from 'node:crypto';

/** Compares what a peer presents with a secret; how long that takes tells nothing but whether the lengths are equal. */
export function isSameSecret(presented: string, secret: string): boolean {
  const a = Buffer.from(presented);
  const b = Buffer.from(secret);
  return a.length === b.length && timingSafeEqual(a, b);
}
