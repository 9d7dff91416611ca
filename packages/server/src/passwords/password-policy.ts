/** Least and greatest value that `minLength` may have, and the greatest of `maxLength`; in UTF-16 units, as clients count. */
export const LEAST_MIN_LENGTH = 6;
export const GREATEST_MIN_LENGTH = 30;
export const GREATEST_MAX_LENGTH = 4096;

/** What a project asks of passwords. */
export interface PasswordPolicy {
  /** When it is off, only `baseLength` and `refusesCommon` count. */
  readonly isEnforced: boolean;
  /** Length that passwords have at least while the policy is not enforced. */
  readonly baseLength: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsNumeric: boolean;
  readonly needsNonAlphanumeric: boolean;
  /** Refuses what is on the list of common passwords. */
  readonly refusesCommon: boolean;
  /** Makes whoever signs in with a password against the policy change it first. Only while the policy is enforced. */
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
  refusesCommon: false,
  forcesUpgrade: false,
};

/** The policies of new projects: as Firebase's own in development, as OWASP ASVS asks where people sign in. */
export const DEFAULT_PASSWORD_POLICIES = {
  dev: RELAXED,
  serve: { ...RELAXED, baseLength: 8, refusesCommon: true },
} as const satisfies Readonly<Record<string, PasswordPolicy>>;
