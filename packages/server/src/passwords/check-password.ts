import { isCommonPassword } from './common-passwords.ts';
import { isPasswordTooLong } from './password-bytes.ts';
import type { PasswordPolicy } from './password-policy.ts';

/** The characters that count as neither letters nor digits. Clients are told the same ones. */
export const NON_ALPHANUMERIC = [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~'];

/** What a password lacks. */
export type PasswordProblem =
  | { readonly kind: 'too-short'; readonly minLength: number }
  | { readonly kind: 'too-long'; readonly maxLength: number }
  | { readonly kind: 'too-many-bytes' }
  | { readonly kind: 'no-lowercase' }
  | { readonly kind: 'no-uppercase' }
  | { readonly kind: 'no-numeric' }
  | { readonly kind: 'no-non-alphanumeric' }
  | { readonly kind: 'common' };

/**
 * Everything that a policy has against a password; lengths count UTF-16 units, as clients do. `words`, in lower case, are as bad
 * as common passwords where it is used.
 */
export function checkPassword(
  policy: PasswordPolicy,
  password: string,
  words: readonly string[] = [],
): readonly PasswordProblem[] {
  return [
    ...checkLength(policy, password),
    ...(policy.isEnforced ? checkCharacters(policy, password) : []),
    ...(policy.refusesCommon && isCommonPassword(password, words) ? [{ kind: 'common' } as const] : []),
  ];
}

/** Whether somebody who signs in with this password must choose a better one first. */
export function isUpgradeForced(policy: PasswordPolicy, password: string): boolean {
  return policy.isEnforced && policy.forcesUpgrade && checkPassword(policy, password).length > 0;
}

function checkLength(policy: PasswordPolicy, password: string): readonly PasswordProblem[] {
  const minLength = policy.isEnforced ? policy.minLength : policy.baseLength;
  if (password.length < minLength) return [{ kind: 'too-short', minLength }];
  if (policy.isEnforced && password.length > policy.maxLength)
    return [{ kind: 'too-long', maxLength: policy.maxLength }];
  return isPasswordTooLong(password) ? [{ kind: 'too-many-bytes' }] : [];
}

function* checkCharacters(policy: PasswordPolicy, password: string): Generator<PasswordProblem> {
  if (policy.needsLowercase && !/[a-z]/.test(password)) yield { kind: 'no-lowercase' };
  if (policy.needsUppercase && !/[A-Z]/.test(password)) yield { kind: 'no-uppercase' };
  if (policy.needsNumeric && !/[0-9]/.test(password)) yield { kind: 'no-numeric' };
  if (policy.needsNonAlphanumeric && !NON_ALPHANUMERIC.some((character) => password.includes(character))) {
    yield { kind: 'no-non-alphanumeric' };
  }
}
