import type { PasswordPolicy } from './password-policy.ts';

/** One thing that a password must have, and whether it has it. */
export type Requirement = { readonly isMet: boolean } & (
  | { readonly kind: 'minLength'; readonly length: number }
  | { readonly kind: 'maxLength'; readonly length: number }
  | { readonly kind: 'lowercase' }
  | { readonly kind: 'uppercase' }
  | { readonly kind: 'digit' }
  | { readonly kind: 'symbol' }
);

/**
 * All requirements of a policy in a fixed order. A length counts UTF-16 units, as the official clients do. The greatest
 * length is listed once it is passed, because hardly anybody comes near it.
 */
export function checkPassword(policy: PasswordPolicy, password: string): readonly Requirement[] {
  const { minLength, maxLength, needsLowercase, needsUppercase, needsDigit, symbols } = policy;
  const isTooLong = password.length > maxLength;
  return [
    { kind: 'minLength', length: minLength, isMet: password.length >= minLength },
    ...(isTooLong ? [{ kind: 'maxLength', length: maxLength, isMet: false } as const] : []),
    ...(needsLowercase ? [{ kind: 'lowercase', isMet: /[a-z]/.test(password) } as const] : []),
    ...(needsUppercase ? [{ kind: 'uppercase', isMet: /[A-Z]/.test(password) } as const] : []),
    ...(needsDigit ? [{ kind: 'digit', isMet: /[0-9]/.test(password) } as const] : []),
    ...(symbols === undefined
      ? []
      : [{ kind: 'symbol', isMet: [...password].some((one) => symbols.includes(one)) } as const]),
  ];
}
