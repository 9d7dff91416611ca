import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const MODULUS_BITS = 2_048;

const generate = promisify(generateKeyPair);

export interface RsaKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A pair of RSA keys. Takes tens to hundreds of milliseconds in the thread pool. */
export function generateRsaKeyPair(): Promise<RsaKeyPair> {
  return generate('rsa', { modulusLength: MODULUS_BITS });
}
