import {
  GREATEST_MAX_LENGTH,
  GREATEST_MIN_LENGTH,
  LEAST_MIN_LENGTH,
  type PasswordPolicy,
} from './password-policy.ts';

/** A password policy that cannot be; the message says what it must be. */
export class PasswordPolicyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PasswordPolicyError';
  }
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The policy that `passwordPolicyConfig` describes, in a request or as stored. The enforcement, when absent, and what is this
 * server's own stay as they are in `current`; the strength options are replaced as a whole. Throws PasswordPolicyError.
 */
export function decodePasswordPolicyConfig(json: unknown, current: PasswordPolicy): PasswordPolicy {
  const config = mustObject(json, 'passwordPolicyConfig');
  const strength = decodeStrength(config['passwordPolicyVersions'], current);
  const policy: PasswordPolicy = {
    ...strength,
    isEnforced: decodeState(config['passwordPolicyEnforcementState'], current),
    forcesUpgrade: mustFlag(config, 'forceUpgradeOnSignin', current.forcesUpgrade),
    refusesCommon: mustFlag(config, 'refuseCommonPasswords', current.refusesCommon),
    baseLength: mustLength(config, 'basePasswordLength', GREATEST_MIN_LENGTH, current.baseLength),
  };
  if (policy.maxLength >= policy.minLength) return policy;
  throw new PasswordPolicyError('maxPasswordLength must not be less than minPasswordLength.');
}

function decodeState(value: unknown, current: PasswordPolicy): boolean {
  if (isAbsent(value)) return current.isEnforced;
  if (value === 'ENFORCE' || value === 'OFF') return value === 'ENFORCE';
  throw new PasswordPolicyError('passwordPolicyEnforcementState must be "OFF" or "ENFORCE".');
}

/** Absent versions leave the options as they are; there is one at most. */
function decodeStrength(versions: unknown, current: PasswordPolicy): PasswordPolicy {
  if (isAbsent(versions)) return current;
  if (!Array.isArray(versions) || versions.length !== 1)
    throw new PasswordPolicyError('passwordPolicyVersions must be a list of one version.');
  const version = mustObject(versions[0], 'passwordPolicyVersions[0]');
  const options = mustObject(version['customStrengthOptions'] ?? {}, 'customStrengthOptions');
  return {
    ...current,
    minLength: mustLength(options, 'minPasswordLength', GREATEST_MIN_LENGTH, LEAST_MIN_LENGTH),
    maxLength: mustLength(options, 'maxPasswordLength', GREATEST_MAX_LENGTH, GREATEST_MAX_LENGTH),
    needsLowercase: mustFlag(options, 'containsLowercaseCharacter', false),
    needsUppercase: mustFlag(options, 'containsUppercaseCharacter', false),
    needsNumeric: mustFlag(options, 'containsNumericCharacter', false),
    needsNonAlphanumeric: mustFlag(options, 'containsNonAlphanumericCharacter', false),
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function mustObject(json: unknown, name: string): Json {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw new PasswordPolicyError(`${name} must be an object.`);
}

function mustFlag(fields: Json, name: string, absent: boolean): boolean {
  const value = fields[name] ?? absent;
  if (typeof value === 'boolean') return value;
  throw new PasswordPolicyError(`${name} must be true or false.`);
}

function mustLength(fields: Json, name: string, greatest: number, absent: number): number {
  const value = fields[name] ?? absent;
  if (typeof value === 'number' && Number.isInteger(value) && value >= LEAST_MIN_LENGTH && value <= greatest)
    return value;
  throw new PasswordPolicyError(`${name} must be a whole number from ${LEAST_MIN_LENGTH} to ${greatest}.`);
}
