import { createCipheriv } from 'node:crypto';
import { deriveScrypt } from './derive-scrypt.ts';

/** Parameters of the hash that Firebase makes itself, as its console shows them. */
export interface FirebaseScryptParameters {
  readonly kind: 'firebase-scrypt';
  /** Secret. The hash is as long as it. */
  readonly signerKey: Uint8Array;
  readonly saltSeparator: Uint8Array;
  /** From 1 to 8: what scrypt calls r, not a number of repetitions. */
  readonly rounds: number;
  /** From 1 to 14: the binary logarithm of what scrypt calls N. */
  readonly memoryCost: number;
}

const KEY_BYTES = 32;
const COUNTER_START = new Uint8Array(16);

/** Firebase's hash: the signer key encrypted by a key that scrypt derives from the password. */
export async function deriveFirebaseScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  { signerKey, saltSeparator, rounds, memoryCost }: FirebaseScryptParameters,
): Promise<Uint8Array> {
  const key = await deriveScrypt({
    password,
    salt: Buffer.concat([salt, saltSeparator]),
    cost: 2 ** memoryCost,
    blockSize: rounds,
    parallelization: 1,
    lengthBytes: KEY_BYTES,
  });
  return createCipheriv('aes-256-ctr', key, COUNTER_START).update(signerKey);
}
