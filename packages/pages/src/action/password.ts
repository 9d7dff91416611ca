import { findRecord, type JsonRecord } from './api.ts';

/** What a password must have. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsDigit: boolean;
  /** Characters of which one must be there; undefined when none must. */
  readonly symbols: string | undefined;
}

/** Holds whatever a project says, and where its policy cannot be read. */
export const LEAST_POLICY: PasswordPolicy = {
  minLength: 6,
  maxLength: 4096,
  needsLowercase: false,
  needsUppercase: false,
  needsDigit: false,
  symbols: undefined,
};

/** Reads the answer of `GET /v2/passwordPolicy`. A policy that is not enforced asks for nothing but a length. */
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

/** One thing that a password must have, and whether it has it. */
export type Requirement = { readonly isMet: boolean } & (
  | { readonly kind: 'minLength'; readonly length: number }
  | { readonly kind: 'maxLength'; readonly length: number }
  | { readonly kind: 'lowercase' }
  | { readonly kind: 'uppercase' }
  | { readonly kind: 'digit' }
  | { readonly kind: 'symbol' }
);

/**
 * All requirements of a policy in a fixed order. A length counts UTF-16 units, as the official clients do. The greatest
 * length is listed once it is passed, because hardly anybody comes near it.
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
