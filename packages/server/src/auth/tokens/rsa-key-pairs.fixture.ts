import { generateKeyPairSync } from 'node:crypto';
import type { RsaKeyPair } from './signing-keys.ts';

/** More pairs than one server, or one test, needs at the same time. */
const PAIRS = 12;

const pairs: RsaKeyPair[] = [];
let taken = 0;

/**
 * Returns an RSA key pair. Generating one takes a core about 130 ms, so the tests of a worker share twelve pairs:
 * twelve pairs taken in a row are different.
 */
export function takeRsaKeyPair(): RsaKeyPair {
  const at = taken % PAIRS;
  taken += 1;
  const pair = pairs[at] ?? generateKeyPairSync('rsa', { modulusLength: 2_048 });
  pairs[at] = pair;
  return pair;
}

/** Like `takeRsaKeyPair`, but asynchronous, for functions that expect a promise. */
export async function takeRsaKeyPairLater(): Promise<RsaKeyPair> {
  return takeRsaKeyPair();
}
