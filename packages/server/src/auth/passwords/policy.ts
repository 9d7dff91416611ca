/**
 * Minimum and maximum of `minLength` and `baseLength`, and maximum of `maxLength`, in UTF-16 code units, as clients
 * count.
 */
export const LEAST_MIN_LENGTH = 6;
export const GREATEST_MIN_LENGTH = 30;
export const GREATEST_MAX_LENGTH = 4096;

/** The requirements of a project for passwords. */
export interface PasswordPolicy {
  /** When false, only `baseLength` and `rejectsCommon` apply. */
  readonly isEnforced: boolean;
  /** Minimum length of passwords while the policy is not enforced. */
  readonly baseLength: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsNumeric: boolean;
  readonly needsNonAlphanumeric: boolean;
  /** Whether passwords on the list of common passwords are rejected. */
  readonly rejectsCommon: boolean;
  /**
   * Whether users whose password violates the policy must change it when they sign in. Only while the policy is
   * enforced.
   */
  readonly forcesUpgrade: boolean;
}

const RELAXED: PasswordPolicy = {
  isEnforced: false,
  baseLength: LEAST_MIN_LENGTH,
  minLength: LEAST_MIN_LENGTH,
  maxLength: GREATEST_MAX_LENGTH,
  needsLowercase: false,
  needsUppercase: false,
  needsNumeric: false,
  needsNonAlphanumeric: false,
  rejectsCommon: false,
  forcesUpgrade: false,
};

/** The policies of new projects: like Firebase's in development mode, and as OWASP ASVS requires otherwise. */
export const DEFAULT_PASSWORD_POLICIES = {
  dev: RELAXED,
  serve: { ...RELAXED, baseLength: 8, minLength: 8, rejectsCommon: true },
} as const satisfies Readonly<Record<string, PasswordPolicy>>;

/** Longest password that is hashed, in bytes of UTF-8: hashing time grows with the length. */
export const MAX_PASSWORD_BYTES = 4096;

/**
 * A password that is too long to be hashed. No account can have it, so the response may be the same as for a
 * wrong password.
 */
export class PasswordTooLong extends Error {
  constructor() {
    super(`The password has more than ${MAX_PASSWORD_BYTES} bytes.`);
    this.name = 'PasswordTooLong';
  }
}

export function isPasswordTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}

/**
 * Returns the bytes to hash: the UTF-8 of exactly the text that the user typed, neither trimmed nor cut. Throws
 * `PasswordTooLong`.
 */
export function passwordBytes(password: string): Uint8Array {
  if (isPasswordTooLong(password)) throw new PasswordTooLong();
  return Buffer.from(password);
}
