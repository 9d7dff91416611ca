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

test('[I80] what clients are told of the default policy', () => {
  expect(encodePublicPasswordPolicy(serve)).toEqual({
    customStrengthOptions: { minPasswordLength: 8, maxPasswordLength: 4096 },
    allowedNonAlphanumericCharacters: [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~'],
    enforcementState: 'OFF',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  });
});

test('[I80] what clients are told of a strict one', () => {
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

test('[I81] the settings that administrators read are those that they can write', () => {
  fc.assert(
    fc.property(passwordPolicyArbitrary, passwordPolicyArbitrary, (policy, current) => {
      const json: unknown = JSON.parse(JSON.stringify(encodePasswordPolicyConfig(policy)));
      expect(decodePasswordPolicyConfig(json, current)).toEqual(policy);
    }),
  );
});

test('[I81] as the Admin SDK writes it; what is of this server stays', () => {
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
  ['nothing', {}, serve],
  ['null for anything', { passwordPolicyVersions: null, passwordPolicyEnforcementState: null }, serve],
  ['a version without options', { passwordPolicyVersions: [{}] }, serve],
  ['options are replaced', options({}), { ...serve, minLength: 6 }],
  [
    'the extremes',
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
])('[I81] %j is refused', (json, message) => {
  expect(() => decodePasswordPolicyConfig(json, dev)).toThrow(PasswordPolicyError);
  expect(() => decodePasswordPolicyConfig(json, dev)).toThrow(message);
});

function options(customStrengthOptions: object): object {
  return { passwordPolicyVersions: [{ customStrengthOptions }] };
}
