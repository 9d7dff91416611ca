import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

/** Parameters of PBKDF2. */
export interface Pbkdf2Parameters {
  readonly kind: 'pbkdf2';
  readonly digest: 'sha1' | 'sha256';
  readonly saltSeparator: Uint8Array;
  /** Up to MAX_PBKDF2_ROUNDS; 0 means 1. */
  readonly rounds: number;
}

export const MAX_PBKDF2_ROUNDS = 120_000;

const deriveInThreadPool = promisify(pbkdf2);

export function derivePbkdf2(
  password: Uint8Array,
  salt: Uint8Array,
  { digest, saltSeparator, rounds }: Pbkdf2Parameters,
  lengthBytes: number,
): Promise<Uint8Array> {
  const fullSalt = Buffer.concat([salt, saltSeparator]);
  return deriveInThreadPool(password, fullSalt, Math.max(rounds, 1), lengthBytes, digest);
}
