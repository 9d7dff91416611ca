import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPassword, findPasswordProblem, isUpgradeForced, NON_ALPHANUMERIC } from './check-password.ts';
import { passwordPolicyArbitrary } from './password-policy.arbitrary.ts';
import { DEFAULT_PASSWORD_POLICIES, type PasswordPolicy } from './policy.ts';
import { encodePublicPasswordPolicy } from './policy-json.ts';

const { dev, serve } = DEFAULT_PASSWORD_POLICIES;
const STRICT: PasswordPolicy = {
  ...serve,
  isEnforced: true,
  minLength: 12,
  maxLength: 20,
  needsLowercase: true,
  needsUppercase: true,
  needsNumeric: true,
  needsNonAlphanumeric: true,
};

/** Returns the error that clients get, `CODE : detail`, or `fine` if the password is accepted. */
function answer(policy: PasswordPolicy, password: string): string {
  const requestError = findPasswordProblem(policy, checkPassword(policy, password));
  return requestError === undefined ? 'fine' : `${requestError.code} : ${requestError.detail}`;
}

describe('a policy that is not enforced', () => {
  test.each<[keyof typeof DEFAULT_PASSWORD_POLICIES, string, string]>([
    ['dev', 'abcde', 'WEAK_PASSWORD : Password should be at least 6 characters'],
    ['dev', 'abcdef', 'fine'],
    ['dev', 'password', 'fine'],
    ['serve', 'qvxbnwz', 'WEAK_PASSWORD : Password should be at least 8 characters'],
    ['serve', 'qvxbnwzk', 'fine'],
    ['serve', '', 'WEAK_PASSWORD : Password should be at least 8 characters'],
  ])('[I77][I82] is the default of hearth %s, and its result for "%s" is: %s', (mode, password, expected) => {
    expect(answer(DEFAULT_PASSWORD_POLICIES[mode], password)).toBe(expected);
  });

  test('[I77] requires only its base length', () => {
    const policy = { ...STRICT, isEnforced: false, baseLength: 6 };
    expect(answer(policy, 'qvxbnw')).toBe('fine');
    expect(answer(policy, 'q'.repeat(4096))).toBe('fine');
  });

  test.each([
    ['q'.repeat(4096), 'fine'],
    ['q'.repeat(4097), 'too long'],
    [`${'ü'.repeat(2048)}q`, 'too long'],
    [' '.repeat(64), 'fine'],
  ])('[I61] accepts at most 4096 bytes', (password, expected) => {
    const requestError =
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must have at most 4096 bytes]';
    expect(answer(dev, password)).toBe(expected === 'fine' ? 'fine' : requestError);
  });

  test('[I79] counts a character outside of the basic plane as two, as JavaScript does', () => {
    expect(answer(dev, '🦊🦊🦊')).toBe('fine');
    expect(answer(dev, '🦊🦊')).toBe('WEAK_PASSWORD : Password should be at least 6 characters');
  });
});

describe('an enforced policy', () => {
  test.each([
    ['Qvxbnwzkjh4!', []],
    ['Qvxbnwzkj4!', ['contain at least 12 characters']],
    [`Qvxbnwzkjh4!${'q'.repeat(9)}`, ['contain at most 20 characters']],
    ['qvxbnwzkjh4!', ['contain an upper case character']],
    ['QVXBNWZKJH4!', ['contain a lower case character']],
    ['Qvxbnwzkjhg!', ['contain a numeric character']],
    ['Qvxbnwzkjh44', ['contain a non-alphanumeric character']],
    ['Qvxbnwzkjh4 ', ['contain a non-alphanumeric character']],
    [
      'ÄÖÜ',
      [
        'contain at least 12 characters',
        'contain a lower case character',
        'contain an upper case character',
        'contain a numeric character',
        'contain a non-alphanumeric character',
      ],
    ],
  ])('[I78] has for the password "%s" the unmet requirements %j', (password, requirements) => {
    const list = requirements.map((requirement) => `Password must ${requirement}`).join(', ');
    expect(answer(STRICT, password)).toBe(
      requirements.length === 0
        ? 'fine'
        : `PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [${list}]`,
    );
  });

  test('[I78] requires its minimum length, not the base length', () => {
    const policy = { ...serve, isEnforced: true, minLength: 6 };
    expect(answer(policy, 'qvxbnw')).toBe('fine');
  });

  test('[I79] accepts exactly the passwords that a client accepts by the published policy', () => {
    fc.assert(
      fc.property(passwordPolicyArbitrary, fc.string({ maxLength: 40 }), (policy, password) => {
        const enforced = { ...policy, isEnforced: true, rejectsCommon: false };
        expect(checkPassword(enforced, password).length === 0).toBe(isFineForClient(enforced, password));
      }),
    );
  });

  /** Returns whether the SDK for web apps accepts the password. */
  function isFineForClient(policy: PasswordPolicy, password: string): boolean {
    const json = JSON.parse(JSON.stringify(encodePublicPasswordPolicy(policy)));
    const options = json.customStrengthOptions;
    const units = password.split('');
    const hasBetween = (first: string, last: string) => units.some((unit) => unit >= first && unit <= last);
    const special: string = json.allowedNonAlphanumericCharacters.join('');
    return (
      password.length >= options.minPasswordLength &&
      password.length <= options.maxPasswordLength &&
      (!options.containsLowercaseCharacter || hasBetween('a', 'z')) &&
      (!options.containsUppercaseCharacter || hasBetween('A', 'Z')) &&
      (!options.containsNumericCharacter || hasBetween('0', '9')) &&
      (!options.containsNonAlphanumericCharacter || units.some((unit) => special.includes(unit)))
    );
  }

  test.each(NON_ALPHANUMERIC)('[I78] %s is a non-alphanumeric character', (character) => {
    const policy = { ...dev, isEnforced: true, needsNonAlphanumeric: true };
    expect(answer(policy, `qvxbnwz${character}`)).toBe('fine');
  });
});

describe('common passwords', () => {
  test.each([
    [serve, 'password', 'WEAK_PASSWORD : Password must not be a common password'],
    [
      { ...serve, isEnforced: true },
      'Password1',
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must not be a common password]',
    ],
    [{ ...serve, rejectsCommon: false }, 'password', 'fine'],
    [serve, 'pass', 'WEAK_PASSWORD : Password should be at least 8 characters'],
  ])('[I83] under the policy %j, the result for "%s" is: %s', (policy, password, expected) => {
    expect(answer(policy, password)).toBe(expected);
  });
});

test.each([
  ['not met', true, { ...STRICT, forcesUpgrade: true }, 'qvxbnwzk'],
  ['met', false, { ...STRICT, forcesUpgrade: true }, 'Qvxbnwzkjh4!'],
  ['not met, but does not force an upgrade', false, STRICT, 'qvxbnwzk'],
  ['not met, but not enforced', false, { ...STRICT, forcesUpgrade: true, isEnforced: false }, 'qvx'],
] as const)(
  '[I84] under a policy that is %s, sign-in requires a new password: %s',
  (_name, isForced, policy, password) => {
    expect(isUpgradeForced(policy, password)).toBe(isForced);
  },
);
