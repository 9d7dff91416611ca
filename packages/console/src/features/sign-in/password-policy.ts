/** What passwords must have, as `passwordPolicyConfig` says it. */
export interface PasswordPolicy {
  readonly isEnforced: boolean;
  readonly forcesUpgrade: boolean;
  readonly refusesCommon: boolean;
  /** Shortest that is ever taken, also where the policy is not enforced. */
  readonly baseLength: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsNumeric: boolean;
  readonly needsSymbol: boolean;
}

export const LEAST_LENGTH = 6;
export const GREATEST_MIN_LENGTH = 30;
export const GREATEST_MAX_LENGTH = 4_096;

type Json = Readonly<Record<string, unknown>>;

function asObject(json: unknown): Json {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

function asNumber(json: unknown, absent: number): number {
  return typeof json === 'number' ? json : absent;
}

export function decodePolicy(json: unknown): PasswordPolicy {
  const config = asObject(json);
  const versions = config['passwordPolicyVersions'];
  const strength = asObject(asObject(Array.isArray(versions) ? versions[0] : {})['customStrengthOptions']);
  return {
    isEnforced: config['passwordPolicyEnforcementState'] === 'ENFORCE',
    forcesUpgrade: config['forceUpgradeOnSignin'] === true,
    refusesCommon: config['refuseCommonPasswords'] === true,
    baseLength: asNumber(config['basePasswordLength'], LEAST_LENGTH),
    minLength: asNumber(strength['minPasswordLength'], LEAST_LENGTH),
    maxLength: asNumber(strength['maxPasswordLength'], GREATEST_MAX_LENGTH),
    needsLowercase: strength['containsLowercaseCharacter'] === true,
    needsUppercase: strength['containsUppercaseCharacter'] === true,
    needsNumeric: strength['containsNumericCharacter'] === true,
    needsSymbol: strength['containsNonAlphanumericCharacter'] === true,
  };
}

export function encodePolicy(policy: PasswordPolicy): Json {
  return {
    passwordPolicyEnforcementState: policy.isEnforced ? 'ENFORCE' : 'OFF',
    forceUpgradeOnSignin: policy.forcesUpgrade,
    refuseCommonPasswords: policy.refusesCommon,
    basePasswordLength: policy.baseLength,
    passwordPolicyVersions: [
      {
        customStrengthOptions: {
          minPasswordLength: policy.minLength,
          maxPasswordLength: policy.maxLength,
          ...(policy.needsLowercase && { containsLowercaseCharacter: true }),
          ...(policy.needsUppercase && { containsUppercaseCharacter: true }),
          ...(policy.needsNumeric && { containsNumericCharacter: true }),
          ...(policy.needsSymbol && { containsNonAlphanumericCharacter: true }),
        },
        schemaVersion: 1,
      },
    ],
  };
}

/** A length that no policy can have. */
export function findWrongLength({
  baseLength,
  minLength,
  maxLength,
}: PasswordPolicy): 'base' | 'min' | 'max' | undefined {
  const isWithin = (length: number, greatest: number): boolean =>
    Number.isInteger(length) && length >= LEAST_LENGTH && length <= greatest;
  if (!isWithin(baseLength, GREATEST_MIN_LENGTH)) return 'base';
  if (!isWithin(minLength, GREATEST_MIN_LENGTH)) return 'min';
  return isWithin(maxLength, GREATEST_MAX_LENGTH) && maxLength >= minLength ? undefined : 'max';
}
