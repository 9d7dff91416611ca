import { expect, test } from 'vitest';
import { decodePolicy, encodePolicy, findWrongLength } from './password.tsx';
import { isSame } from './settings-form.ts';

const JSON_OF_SERVER = {
  passwordPolicyEnforcementState: 'ENFORCE',
  forceUpgradeOnSignin: false,
  passwordPolicyVersions: [
    {
      customStrengthOptions: { minPasswordLength: 8, maxPasswordLength: 64, containsNumericCharacter: true },
      schemaVersion: 1,
    },
  ],
  refuseCommonPasswords: true,
  basePasswordLength: 8,
};

test('[C224] decoding and encoding a policy does not change it', () => {
  expect(isSame(encodePolicy(decodePolicy(JSON_OF_SERVER)), JSON_OF_SERVER)).toBe(true);
});

test.each([
  [{ minLength: 5 }, 'min'],
  [{ minLength: 31 }, 'min'],
  [{ maxLength: 7 }, 'max'],
  [{ maxLength: 5_000 }, 'max'],
  [{ baseLength: Number.NaN }, 'base'],
  [{}, undefined],
])('[C224] the first invalid length of a policy with the changes %j is %s', (change, expected) => {
  expect(findWrongLength({ ...decodePolicy(JSON_OF_SERVER), ...change })).toBe(expected);
});
