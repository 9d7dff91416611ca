import { expect, test } from 'vitest';
import type { Account } from '../../api/accounts.ts';
import { providersOf } from './account-text.tsx';

const PASSWORD = [{ providerId: 'password' }];
const EMAIL = 'ann@example.com';

test.each<[string, Partial<Account>, readonly string[]]>([
  ['email and password', { email: EMAIL, providerUserInfo: PASSWORD }, ['password']],
  ['an email without a password', { email: EMAIL }, ['email']],
  ['a custom token', { customAuth: true }, ['custom']],
  ['a custom token, with an email', { customAuth: true, email: EMAIL }, ['custom']],
  [
    'a custom token, and a password',
    { customAuth: true, email: EMAIL, providerUserInfo: PASSWORD },
    ['password', 'custom'],
  ],
  ['a phone number', { phoneNumber: '+491701234567' }, ['phone']],
  ['no email, phone number or provider', {}, ['anonymous']],
])('[C461] providersOf returns the sign-in methods of an account with %s', (_what, account, expected) => {
  expect(providersOf({ localId: 'u1', createdAt: '0', ...account })).toEqual(expected);
});
