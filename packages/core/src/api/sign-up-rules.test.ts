import { expect, test } from 'vitest';
import { claimsOfDomain, decideSignUp, NO_SIGN_UP_RULES } from './sign-up-rules.ts';

const RULES = {
  allowedDomains: ['example.com', 'example.org'],
  deniedDomains: ['example.org'],
  providers: ['password', 'google.com'],
  claims: { 'example.com': { staff: true } },
};
const ANN = { email: 'ann@example.com', provider: 'password' };

test.each([
  [ANN, { kind: 'allowed' }],
  [{ ...ANN, email: 'ann@EXAMPLE.com' }, { kind: 'allowed' }],
  [
    { ...ANN, provider: 'phone' },
    { kind: 'rejected', rule: 'providers', value: 'phone' },
  ],
  [
    { ...ANN, email: 'ann@example.org' },
    { kind: 'rejected', rule: 'deniedDomains', value: 'example.org' },
  ],
  [
    { ...ANN, email: 'ann@sub.example.com' },
    { kind: 'rejected', rule: 'allowedDomains', value: 'sub.example.com' },
  ],
  [
    { ...ANN, email: '"x@example.com"@evil.example' },
    { kind: 'rejected', rule: 'allowedDomains', value: 'evil.example' },
  ],
  [
    { ...ANN, email: null },
    { kind: 'rejected', rule: 'allowedDomains', value: null },
  ],
])('[I1694] rules decide about %j', (signUp, decision) => {
  expect(decideSignUp(RULES, signUp)).toEqual(decision);
  expect(decideSignUp(NO_SIGN_UP_RULES, signUp)).toEqual({ kind: 'allowed' });
});

test('[I1695] claims belong to the domain of an address', () => {
  expect(claimsOfDomain(RULES, 'ann@Example.com')).toEqual({ staff: true });
  expect(claimsOfDomain(RULES, 'ann@example.org')).toBeUndefined();
  expect(claimsOfDomain(RULES, 'ann@constructor')).toBeUndefined();
});
