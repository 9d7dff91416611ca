import { deriveFirebaseScrypt } from './firebase-scrypt.ts';
import { deriveHmac } from './hmac.ts';
import type { ImportedHash } from './password-hash.ts';
import { derivePbkdf2 } from './pbkdf2.ts';
import { deriveStandardScrypt } from './standard-scrypt.ts';
import type { TaskThreads } from './task-threads.ts';

/** The hash of a password as the system would have made it that an imported hash comes from, and as long as that. */
export async function deriveImported(
  password: Uint8Array,
  { parameters, salt, hash }: ImportedHash,
  threads: TaskThreads,
): Promise<Uint8Array> {
  switch (parameters.kind) {
    case 'firebase-scrypt':
      return deriveFirebaseScrypt(password, salt, parameters);
    case 'standard-scrypt':
      return deriveStandardScrypt(password, salt, parameters, hash.length);
    case 'hmac':
      return deriveHmac(password, salt, parameters);
    case 'digest':
      return threads.run({ kind: 'digest', password, salt, parameters });
    case 'pbkdf2':
      return derivePbkdf2(password, salt, parameters, hash.length);
    case 'bcrypt':
      return threads.run({ kind: 'bcrypt', password, stored: hash });
    case 'argon2': {
      const { variant, version, cost, associatedData } = parameters;
      const input = { password, salt, cost, lengthBytes: hash.length, associatedData };
      return threads.run({ kind: 'argon2', variant, version, input });
    }
    default:
      return parameters satisfies never;
  }
}
