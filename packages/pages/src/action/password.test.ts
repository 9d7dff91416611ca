import { expect, test } from 'vitest';
import { checkPassword, LEAST_POLICY, parsePasswordPolicy } from './password.ts';

const STRICT = parsePasswordPolicy({
  customStrengthOptions: {
    minPasswordLength: 8,
    maxPasswordLength: 12,
    containsLowercaseCharacter: true,
    containsUppercaseCharacter: true,
    containsNumericCharacter: true,
    containsNonAlphanumericCharacter: true,
  },
  allowedNonAlphanumericCharacters: ['!', '?', '\\'],
  enforcementState: 'ENFORCE',
  schemaVersion: 1,
});

test.each([
  ['', ['minLength', 'lowercase', 'uppercase', 'digit', 'symbol']],
  ['abcdefgh', ['uppercase', 'digit', 'symbol']],
  ['ABC1', ['minLength', 'lowercase', 'symbol']],
  ['Abcdefg1~', ['symbol']],
  ['ÄÖÜäöü12', ['lowercase', 'uppercase', 'symbol']],
  ['Abcdefg1\\', []],
  ['Abcdefghijk1!', ['maxLength']],
])('[I163] with a strict policy, the unmet requirements of the password %j are %j', (password, missing) => {
  const unmet = checkPassword(STRICT, password).filter(({ isMet }) => !isMet);
  expect(unmet.map(({ kind }) => kind)).toEqual(missing);
});

test.each([
  [{}, LEAST_POLICY],
  [{ customStrengthOptions: 'none' }, LEAST_POLICY],
  [{ customStrengthOptions: { minPasswordLength: '8', maxPasswordLength: -1 } }, LEAST_POLICY],
  [{ customStrengthOptions: { minPasswordLength: 8 } }, { ...LEAST_POLICY, minLength: 8 }],
  [
    {
      customStrengthOptions: { minPasswordLength: 8, containsNumericCharacter: true },
      enforcementState: 'OFF',
    },
    { ...LEAST_POLICY, minLength: 8 },
  ],
  [{ customStrengthOptions: { containsNonAlphanumericCharacter: true } }, LEAST_POLICY],
])('[I163] the policy %j is parsed as %j', (json, policy) => {
  expect(parsePasswordPolicy(json)).toEqual(policy);
});
