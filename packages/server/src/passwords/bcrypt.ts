import { hashSync } from 'bcryptjs';

/** bcrypt has no parameters beside the hash, whose text names cost and salt. */
export interface BcryptParameters {
  readonly kind: 'bcrypt';
}

/** Each step doubles the time; this one takes most of a second. */
const MAX_BCRYPT_COST = 13;

/** Version, cost, and salt with hash in one, as `$2b$10$` and 53 letters. */
const HASH_FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SALT_LENGTH = 29;

/** Says why a stored bcrypt hash cannot be verified; undefined when it can. */
export function checkBcryptHash(hash: Uint8Array): string | undefined {
  const cost = HASH_FORM.exec(Buffer.from(hash).toString('latin1'))?.[1];
  if (cost === undefined)
    return 'A bcrypt hash is a text of 60 characters that begins with $2a$, $2b$ or $2y$.';
  if (Number(cost) < 4 || Number(cost) > MAX_BCRYPT_COST)
    return `The cost of a bcrypt hash is from 4 to ${MAX_BCRYPT_COST}.`;
  return undefined;
}

/**
 * The text of the hash that this password would have with the salt of `stored`, as bytes. Looks at 72 bytes of the password,
 * as every bcrypt does. Keeps its thread busy for up to a second, or as long as a costlier hash takes that was kept earlier.
 */
export function deriveBcrypt(password: Uint8Array, stored: Uint8Array): Uint8Array {
  const salt = Buffer.from(stored).toString('latin1').slice(0, SALT_LENGTH);
  return Buffer.from(hashSync(Buffer.from(password).toString(), salt), 'latin1');
}
