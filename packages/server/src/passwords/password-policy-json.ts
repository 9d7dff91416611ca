import { NON_ALPHANUMERIC } from './check-password.ts';
import type { PasswordPolicy } from './password-policy.ts';

const SCHEMA_VERSION = 1;

type Json = Readonly<Record<string, unknown>>;

/** The answer to a client that asks for the policy, to check passwords before it sends them. */
export function encodePublicPasswordPolicy(policy: PasswordPolicy): Json {
  return {
    customStrengthOptions: encodeStrength({
      ...policy,
      minLength: policy.isEnforced ? policy.minLength : Math.max(policy.minLength, policy.baseLength),
    }),
    allowedNonAlphanumericCharacters: NON_ALPHANUMERIC,
    enforcementState: encodeState(policy),
    forceUpgradeOnSignin: policy.forcesUpgrade,
    schemaVersion: SCHEMA_VERSION,
  };
}

/**
 * `passwordPolicyConfig` in the settings of a project; what decodePasswordPolicyConfig takes. `refuseCommonPasswords` and
 * `basePasswordLength` are this server's own.
 */
export function encodePasswordPolicyConfig(policy: PasswordPolicy): Json {
  return {
    passwordPolicyEnforcementState: encodeState(policy),
    forceUpgradeOnSignin: policy.forcesUpgrade,
    passwordPolicyVersions: [
      { customStrengthOptions: encodeStrength(policy), schemaVersion: SCHEMA_VERSION },
    ],
    refuseCommonPasswords: policy.refusesCommon,
    basePasswordLength: policy.baseLength,
  };
}

function encodeState({ isEnforced }: PasswordPolicy): 'ENFORCE' | 'OFF' {
  return isEnforced ? 'ENFORCE' : 'OFF';
}

/** A kind of character that is not required is not mentioned. */
function encodeStrength(policy: PasswordPolicy): Json {
  return {
    minPasswordLength: policy.minLength,
    maxPasswordLength: policy.maxLength,
    ...(policy.needsLowercase && { containsLowercaseCharacter: true }),
    ...(policy.needsUppercase && { containsUppercaseCharacter: true }),
    ...(policy.needsNumeric && { containsNumericCharacter: true }),
    ...(policy.needsNonAlphanumeric && { containsNonAlphanumericCharacter: true }),
  };
}
