import { createCipheriv, createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import type { UserImportOptions } from 'firebase-admin/auth';

/** A password as another system stores it. */
export interface HashedPassword {
  readonly hash: UserImportOptions['hash'];
  readonly passwordHash: Buffer;
  readonly passwordSalt?: Buffer;
}

/** The password of all hashes in this file. */
export const OLD_PASSWORD = 'correct horse';

const SALT = Buffer.from('salt of this one');
const KEY = Buffer.from('key of the old system');
const SEPARATOR = Buffer.from([7]);
const INPUT = Buffer.concat([SALT, Buffer.from(OLD_PASSWORD)]);
/** The Admin SDK cannot set the order of password and salt. For HMAC, the official service expects this order. */
const HMAC_INPUT = Buffer.concat([Buffer.from(OLD_PASSWORD), SALT]);

/** Hashes of `OLD_PASSWORD`, one for each algorithm that the Admin SDK imports. */
export const HASHED_PASSWORDS: readonly HashedPassword[] = [
  firebaseScrypt(),
  {
    hash: {
      algorithm: 'STANDARD_SCRYPT',
      memoryCost: 1024,
      parallelization: 2,
      blockSize: 8,
      derivedKeyLength: 48,
    },
    passwordHash: scryptSync(OLD_PASSWORD, SALT, 48, { N: 1024, r: 8, p: 2 }),
    passwordSalt: SALT,
  },
  ...(['HMAC_SHA512', 'HMAC_SHA256', 'HMAC_SHA1', 'HMAC_MD5'] as const).map((algorithm) => ({
    hash: { algorithm, key: KEY },
    passwordHash: createHmac(algorithm.slice('HMAC_'.length), KEY).update(HMAC_INPUT).digest(),
    passwordSalt: SALT,
  })),
  ...(['MD5', 'SHA1', 'SHA256', 'SHA512'] as const).map((algorithm) => ({
    hash: { algorithm, rounds: 1 },
    passwordHash: createHash(algorithm).update(INPUT).digest(),
    passwordSalt: SALT,
  })),
  {
    hash: { algorithm: 'PBKDF_SHA1', rounds: 1_000 },
    passwordHash: pbkdf2Sync(OLD_PASSWORD, SALT, 1_000, 20, 'sha1'),
    passwordSalt: SALT,
  },
  {
    hash: { algorithm: 'PBKDF2_SHA256', rounds: 1_000 },
    passwordHash: pbkdf2Sync(OLD_PASSWORD, SALT, 1_000, 32, 'sha256'),
    passwordSalt: SALT,
  },
  {
    hash: { algorithm: 'BCRYPT' },
    passwordHash: Buffer.from('$2b$04$724qHz5l4GgtnE6Pi3ytaOpjmYDeKKeikB3DbA/EOH90u/OwDhzLy'),
  },
];

/**
 * Returns a hash by the official service's variant of scrypt: the key derived from the password encrypts the key of the
 * project. `memoryCost` is the binary logarithm.
 */
export function firebaseScrypt(memoryCost = 10): HashedPassword {
  const rounds = 8;
  const salt = Buffer.concat([SALT, SEPARATOR]);
  const derived = scryptSync(OLD_PASSWORD, salt, 32, { N: 2 ** memoryCost, r: rounds, p: 1 });
  const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16));
  return {
    hash: { algorithm: 'SCRYPT', key: KEY, saltSeparator: SEPARATOR, rounds, memoryCost },
    passwordHash: Buffer.concat([cipher.update(KEY), cipher.final()]),
    passwordSalt: SALT,
  };
}
