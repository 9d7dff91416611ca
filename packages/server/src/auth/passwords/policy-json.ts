import { NON_ALPHANUMERIC } from './check-password.ts';
import { GREATEST_MAX_LENGTH, GREATEST_MIN_LENGTH, LEAST_MIN_LENGTH, type PasswordPolicy } from './policy.ts';

const SCHEMA_VERSION = 1;

type Json = Readonly<Record<string, unknown>>;

/** Encodes the response to a client that requests the policy to check passwords before it sends them. */
export function encodePublicPasswordPolicy(policy: PasswordPolicy): Json {
  return {
    customStrengthOptions: encodeStrength(policy),
    allowedNonAlphanumericCharacters: NON_ALPHANUMERIC,
    enforcementState: encodeState(policy),
    forceUpgradeOnSignin: policy.forcesUpgrade,
    schemaVersion: SCHEMA_VERSION,
  };
}

/**
 * Encodes `passwordPolicyConfig` in the settings of a project, which `decodePasswordPolicyConfig` decodes. Firebase
 * does not have `refuseCommonPasswords` and `basePasswordLength`.
 */
export function encodePasswordPolicyConfig(policy: PasswordPolicy): Json {
  return {
    passwordPolicyEnforcementState: encodeState(policy),
    forceUpgradeOnSignin: policy.forcesUpgrade,
    passwordPolicyVersions: [
      { customStrengthOptions: encodeStrength(policy), schemaVersion: SCHEMA_VERSION },
    ],
    refuseCommonPasswords: policy.rejectsCommon,
    basePasswordLength: policy.baseLength,
  };
}

function encodeState({ isEnforced }: PasswordPolicy): 'ENFORCE' | 'OFF' {
  return isEnforced ? 'ENFORCE' : 'OFF';
}

/**
 * Returns the minimum length that clients read. While the policy is not enforced, it is at least `baseLength`, which
 * applies then, as far as `maxLength` allows.
 */
function minLengthInForce({ isEnforced, minLength, baseLength, maxLength }: PasswordPolicy): number {
  return isEnforced ? minLength : Math.max(minLength, Math.min(baseLength, maxLength));
}

/** Omits kinds of characters that are not required. */
function encodeStrength(policy: PasswordPolicy): Json {
  return {
    minPasswordLength: minLengthInForce(policy),
    maxPasswordLength: policy.maxLength,
    ...(policy.needsLowercase && { containsLowercaseCharacter: true }),
    ...(policy.needsUppercase && { containsUppercaseCharacter: true }),
    ...(policy.needsNumeric && { containsNumericCharacter: true }),
    ...(policy.needsNonAlphanumeric && { containsNonAlphanumericCharacter: true }),
  };
}

/** An invalid password policy. The message states the requirement. */
export class PasswordPolicyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PasswordPolicyError';
  }
}

/**
 * Decodes the policy that `passwordPolicyConfig` describes, in a request or in a record. Absent fields keep the
 * values of `current`, but strength options replace the current ones as a whole. While the
 * policy is not enforced, a lower minimum length than `basePasswordLength` is raised to it. Throws
 * `PasswordPolicyError`.
 */
export function decodePasswordPolicyConfig(json: unknown, current: PasswordPolicy): PasswordPolicy {
  const config = requireObject(json, 'passwordPolicyConfig');
  const strength = decodeStrength(config['passwordPolicyVersions'], current);
  const policy: PasswordPolicy = {
    ...strength,
    isEnforced: decodeState(config['passwordPolicyEnforcementState'], current),
    forcesUpgrade: requireFlagField(config, 'forceUpgradeOnSignin', current.forcesUpgrade),
    rejectsCommon: requireFlagField(config, 'refuseCommonPasswords', current.rejectsCommon),
    baseLength: requireLength(config, 'basePasswordLength', GREATEST_MIN_LENGTH, current.baseLength),
  };
  if (policy.maxLength >= policy.minLength) return { ...policy, minLength: minLengthInForce(policy) };
  throw new PasswordPolicyError('maxPasswordLength must not be less than minPasswordLength.');
}

function decodeState(value: unknown, current: PasswordPolicy): boolean {
  if (isAbsent(value)) return current.isEnforced;
  if (value === 'ENFORCE' || value === 'OFF') return value === 'ENFORCE';
  throw new PasswordPolicyError('passwordPolicyEnforcementState must be "OFF" or "ENFORCE".');
}

/** Decodes the strength options. An absent list keeps the current ones; otherwise it must contain one version. */
function decodeStrength(versions: unknown, current: PasswordPolicy): PasswordPolicy {
  if (isAbsent(versions)) return current;
  if (!Array.isArray(versions) || versions.length !== 1)
    throw new PasswordPolicyError('passwordPolicyVersions must be a list of one version.');
  const version = requireObject(versions[0], 'passwordPolicyVersions[0]');
  const options = requireObject(version['customStrengthOptions'] ?? {}, 'customStrengthOptions');
  return {
    ...current,
    minLength: requireLength(options, 'minPasswordLength', GREATEST_MIN_LENGTH, LEAST_MIN_LENGTH),
    maxLength: requireLength(options, 'maxPasswordLength', GREATEST_MAX_LENGTH, GREATEST_MAX_LENGTH),
    needsLowercase: requireFlagField(options, 'containsLowercaseCharacter', false),
    needsUppercase: requireFlagField(options, 'containsUppercaseCharacter', false),
    needsNumeric: requireFlagField(options, 'containsNumericCharacter', false),
    needsNonAlphanumeric: requireFlagField(options, 'containsNonAlphanumericCharacter', false),
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function requireObject(json: unknown, name: string): Json {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw new PasswordPolicyError(`${name} must be an object.`);
}

function requireFlagField(fields: Json, name: string, absent: boolean): boolean {
  const value = fields[name] ?? absent;
  if (typeof value === 'boolean') return value;
  throw new PasswordPolicyError(`${name} must be true or false.`);
}

function requireLength(fields: Json, name: string, greatest: number, absent: number): number {
  const value = fields[name] ?? absent;
  if (typeof value === 'number' && Number.isInteger(value) && value >= LEAST_MIN_LENGTH && value <= greatest)
    return value;
  throw new PasswordPolicyError(`${name} must be a whole number from ${LEAST_MIN_LENGTH} to ${greatest}.`);
}
