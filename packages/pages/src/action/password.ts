import { findRecord, type JsonRecord } from './api.ts';

/** The requirements on a password. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsDigit: boolean;
  /** The password must contain one of these characters; undefined if it need not. */
  readonly symbols: string | undefined;
}

/** The minimum requirements, which apply in every project. Also used if the policy of a project cannot be read. */
export const LEAST_POLICY: PasswordPolicy = {
  minLength: 6,
  maxLength: 4096,
  needsLowercase: false,
  needsUppercase: false,
  needsDigit: false,
  symbols: undefined,
};

/** Parses the response of `GET /v2/passwordPolicy`. A policy that is not enforced requires only a length. */
export function parsePasswordPolicy(json: JsonRecord): PasswordPolicy {
  const options = findRecord(json, 'customStrengthOptions') ?? {};
  const lengths = {
    minLength: readLength(options['minPasswordLength'], LEAST_POLICY.minLength),
    maxLength: readLength(options['maxPasswordLength'], LEAST_POLICY.maxLength),
  };
  if (json['enforcementState'] === 'OFF') return { ...LEAST_POLICY, ...lengths };
  const allowed = json['allowedNonAlphanumericCharacters'];
  return {
    ...lengths,
    needsLowercase: options['containsLowercaseCharacter'] === true,
    needsUppercase: options['containsUppercaseCharacter'] === true,
    needsDigit: options['containsNumericCharacter'] === true,
    symbols:
      options['containsNonAlphanumericCharacter'] === true && Array.isArray(allowed)
        ? allowed.join('')
        : undefined,
  };
}

function readLength(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
}

/** One requirement, and whether a password meets it. */
export type Requirement = { readonly isMet: boolean } & (
  | { readonly kind: 'minLength'; readonly length: number }
  | { readonly kind: 'maxLength'; readonly length: number }
  | { readonly kind: 'lowercase' }
  | { readonly kind: 'uppercase' }
  | { readonly kind: 'digit' }
  | { readonly kind: 'symbol' }
);

/**
 * Returns all requirements of a policy in a fixed order. Lengths count UTF-16 code units, as in the official clients. The
 * maximum length is included only if the password exceeds it, because few passwords come near it.
 */
export function checkPassword(policy: PasswordPolicy, password: string): readonly Requirement[] {
  const { minLength, maxLength, needsLowercase, needsUppercase, needsDigit, symbols } = policy;
  const isTooLong = password.length > maxLength;
  return [
    { kind: 'minLength', length: minLength, isMet: password.length >= minLength },
    ...(isTooLong ? [{ kind: 'maxLength', length: maxLength, isMet: false } as const] : []),
    ...(needsLowercase ? [{ kind: 'lowercase', isMet: /[a-z]/.test(password) } as const] : []),
    ...(needsUppercase ? [{ kind: 'uppercase', isMet: /[A-Z]/.test(password) } as const] : []),
    ...(needsDigit ? [{ kind: 'digit', isMet: /[0-9]/.test(password) } as const] : []),
    ...(symbols === undefined
      ? []
      : [{ kind: 'symbol', isMet: [...password].some((one) => symbols.includes(one)) } as const]),
  ];
}
