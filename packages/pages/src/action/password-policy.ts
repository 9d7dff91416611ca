import { findRecord } from '../json/find-record.ts';
import type { JsonRecord } from '../json/is-record.ts';

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
