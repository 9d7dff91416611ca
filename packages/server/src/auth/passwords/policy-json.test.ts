import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordPolicyArbitrary } from './password-policy.arbitrary.ts';
import { DEFAULT_PASSWORD_POLICIES } from './policy.ts';
import {
  decodePasswordPolicyConfig,
  encodePasswordPolicyConfig,
  encodePublicPasswordPolicy,
  PasswordPolicyError,
} from './policy-json.ts';

const { dev, serve } = DEFAULT_PASSWORD_POLICIES;

test('[I80] the default policy is published with its lengths, and as not enforced', () => {
  expect(encodePublicPasswordPolicy(serve)).toEqual({
    customStrengthOptions: { minPasswordLength: 8, maxPasswordLength: 4096 },
    allowedNonAlphanumericCharacters: [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~'],
    enforcementState: 'OFF',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  });
});

test('[I80] a strict policy is published with its requirements, and as enforced', () => {
  const policy = {
    ...serve,
    isEnforced: true,
    forcesUpgrade: true,
    needsLowercase: true,
    needsNumeric: true,
  };
  expect(encodePublicPasswordPolicy({ ...policy, minLength: 6, maxLength: 30 })).toMatchObject({
    customStrengthOptions: {
      minPasswordLength: 6,
      maxPasswordLength: 30,
      containsLowercaseCharacter: true,
      containsNumericCharacter: true,
    },
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: true,
  });
});

test('[I81] an administrator can write a policy as it was read', () => {
  fc.assert(
    fc.property(passwordPolicyArbitrary, passwordPolicyArbitrary, (policy, current) => {
      const json: unknown = JSON.parse(JSON.stringify(encodePasswordPolicyConfig(policy)));
      const minLength = policy.isEnforced ? policy.minLength : Math.max(policy.minLength, policy.baseLength);
      expect(decodePasswordPolicyConfig(json, current)).toEqual({ ...policy, minLength });
    }),
  );
});

test('[I81] the minimum length of a policy that is not enforced is the one in force', () => {
  const lower = { ...serve, minLength: 6 };
  expect(encodePasswordPolicyConfig(lower)).toMatchObject({
    passwordPolicyEnforcementState: 'OFF',
    passwordPolicyVersions: [{ customStrengthOptions: { minPasswordLength: 8 } }],
  });
  expect(decodePasswordPolicyConfig(options({ minPasswordLength: 6 }), lower).minLength).toBe(8);
  const enforced = { ...options({ minPasswordLength: 6 }), passwordPolicyEnforcementState: 'ENFORCE' };
  expect(decodePasswordPolicyConfig(enforced, lower).minLength).toBe(6);
  expect(encodePasswordPolicyConfig({ ...lower, maxLength: 7 })).toMatchObject({
    passwordPolicyVersions: [{ customStrengthOptions: { minPasswordLength: 7, maxPasswordLength: 7 } }],
  });
});

test('[I81] a policy in the form of the Admin SDK is accepted, and settings that only Hearth has stay', () => {
  const json = {
    passwordPolicyEnforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    passwordPolicyVersions: [
      {
        customStrengthOptions: {
          containsUppercaseCharacter: true,
          containsLowercaseCharacter: false,
          containsNonAlphanumericCharacter: true,
          containsNumericCharacter: false,
          minPasswordLength: 10,
          maxPasswordLength: 100,
        },
      },
    ],
  };
  expect(decodePasswordPolicyConfig(json, serve)).toEqual({
    ...serve,
    isEnforced: true,
    minLength: 10,
    maxLength: 100,
    needsUppercase: true,
    needsNonAlphanumeric: true,
  });
});

test.each([
  ['an empty policy changes nothing', {}, serve],
  ['null changes nothing', { passwordPolicyVersions: null, passwordPolicyEnforcementState: null }, serve],
  ['a version without options sets the default options', { passwordPolicyVersions: [{}] }, serve],
  ['options are replaced', options({}), serve],
  [
    'the largest minimum length is accepted',
    options({ minPasswordLength: 30, maxPasswordLength: 30 }),
    { ...serve, minLength: 30, maxLength: 30 },
  ],
])('[I81] %s', (_name, json, policy) => {
  expect(decodePasswordPolicyConfig(json, serve)).toEqual(policy);
});

test.each<[unknown, RegExp]>([
  [null, /^passwordPolicyConfig must be an object/],
  [{ passwordPolicyEnforcementState: 'ON' }, /must be "OFF" or "ENFORCE"/],
  [{ forceUpgradeOnSignin: 'yes' }, /^forceUpgradeOnSignin must be true or false/],
  [{ passwordPolicyVersions: [] }, /must be a list of one version/],
  [{ passwordPolicyVersions: [{}, {}] }, /must be a list of one version/],
  [{ passwordPolicyVersions: [1] }, /must be an object/],
  [options({ minPasswordLength: 5 }), /^minPasswordLength must be a whole number from 6 to 30/],
  [options({ minPasswordLength: 31 }), /^minPasswordLength/],
  [options({ minPasswordLength: 6.5 }), /^minPasswordLength/],
  [options({ minPasswordLength: '8' }), /^minPasswordLength/],
  [options({ maxPasswordLength: 4097 }), /^maxPasswordLength must be a whole number from 6 to 4096/],
  [options({ minPasswordLength: 20, maxPasswordLength: 19 }), /must not be less than minPasswordLength/],
  [options({ containsNumericCharacter: 1 }), /^containsNumericCharacter must be true or false/],
  [{ refuseCommonPasswords: 0 }, /^refuseCommonPasswords must be true or false/],
  [{ basePasswordLength: 5 }, /^basePasswordLength must be a whole number from 6 to 30/],
])('[I81] %j is rejected', (json, message) => {
  expect(() => decodePasswordPolicyConfig(json, dev)).toThrow(PasswordPolicyError);
  expect(() => decodePasswordPolicyConfig(json, dev)).toThrow(message);
});

function options(customStrengthOptions: object): object {
  return { passwordPolicyVersions: [{ customStrengthOptions }] };
}
