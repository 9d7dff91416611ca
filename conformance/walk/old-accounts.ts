import { firebaseScrypt, HASHED_PASSWORDS, type HashedPassword } from '../clients/hashed-passwords.ts';

/** An account file as Firebase writes it, and the values that its documents name as placeholders. */
export interface OldAccounts {
  readonly file: string;
  readonly key: string;
  readonly saltSeparator: string;
}

/** The memory cost of projects of Firebase. */
const MEMORY_COST = 14;

/** Creates a file with one account whose password is `OLD_PASSWORD`, hashed by the algorithm of another system. */
export function makeOldAccounts(algorithm: 'SCRYPT' | 'HMAC_SHA256', email: string): OldAccounts {
  const hashed =
    algorithm === 'SCRYPT'
      ? firebaseScrypt(MEMORY_COST)
      : HASHED_PASSWORDS.find(({ hash }) => hash.algorithm === algorithm);
  if (hashed === undefined) throw new Error(`No password is hashed by ${algorithm}.`);
  const { hash, passwordHash, passwordSalt = Buffer.alloc(0) } = hashed;
  const [localPart = ''] = email.split('@');
  const user = {
    localId: localPart,
    email,
    passwordHash: passwordHash.toString('base64'),
    salt: passwordSalt.toString('base64'),
  };
  return {
    file: JSON.stringify({ users: [user] }),
    key: encode(hash.key),
    saltSeparator: encode(hash.saltSeparator),
  };
}

function encode(value: HashedPassword['hash']['key']): string {
  return value === undefined ? '' : Buffer.from(value).toString('base64');
}
