import type { Argon2Cost } from './argon2-cost.ts';
import type { BcryptParameters } from './bcrypt.ts';
import type { FirebaseScryptParameters } from './firebase-scrypt.ts';
import type { HmacParameters } from './hmac.ts';
import type { IteratedDigestParameters } from './iterated-digest.ts';
import type { Pbkdf2Parameters } from './pbkdf2.ts';
import type { Argon2Variant, Argon2Version } from './scripted-argon2.ts';
import type { StandardScryptParameters } from './standard-scrypt.ts';

/** Parameters of Argon2 as another system computed it. */
export interface ImportedArgon2Parameters {
  readonly kind: 'argon2';
  readonly variant: Argon2Variant;
  readonly version: Argon2Version;
  readonly cost: Argon2Cost;
  readonly associatedData: Uint8Array;
}

/** How another system hashed the passwords: one of these for all accounts of an import. */
export type HashParameters =
  | FirebaseScryptParameters
  | StandardScryptParameters
  | HmacParameters
  | IteratedDigestParameters
  | Pbkdf2Parameters
  | BcryptParameters
  | ImportedArgon2Parameters;
