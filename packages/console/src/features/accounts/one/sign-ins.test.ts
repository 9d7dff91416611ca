import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../api/audit.ts';
import { parseSignIn, type SignIn } from './sign-ins.ts';

const ENTRY: AuditEntry = {
  id: '0190a1',
  timeMs: 1_777_621_920_000,
  event: 'sign_in',
  uid: 'alice',
  actor: 'app',
  address: '203.0.113.7',
  userAgent: '',
  result: 'ok',
  detail: null,
  requestId: null,
  count: 1,
  lastTimeMs: null,
};

test.each<[Partial<AuditEntry>, Partial<SignIn>]>([
  [{ detail: 'password' }, { outcome: 'signedIn', method: 'password', secondFactor: undefined }],
  [{ detail: 'password+totp' }, { outcome: 'signedIn', method: 'password', secondFactor: 'totp' }],
  [
    { event: 'sign_up', detail: 'google.com' },
    { outcome: 'signedUp', method: 'google.com' },
  ],
  [
    { detail: 'saml.acme on the hosted page' },
    { outcome: 'signedIn', method: 'saml.acme', isHostedPage: true },
  ],
  [
    { result: 'INVALID_LOGIN_CREDENTIALS', detail: 'password' },
    { outcome: 'rejected', error: 'INVALID_LOGIN_CREDENTIALS', method: 'password' },
  ],
  [
    { event: 'second_factor_failed', result: 'INVALID_CODE' },
    { outcome: 'rejected', error: 'INVALID_CODE', method: undefined },
  ],
  [
    { result: 'USER_DISABLED', detail: 'second factor' },
    { outcome: 'rejected', error: 'USER_DISABLED', method: undefined },
  ],
  [{ event: 'second_factor_asked' }, { outcome: 'asked', method: undefined }],
  [
    { event: 'recovery_code_used', detail: '9 left' },
    { outcome: 'recovered', method: undefined },
  ],
  [
    { event: 'provider_unconfirmed', detail: 'facebook.com' },
    { outcome: 'unconfirmed', method: 'facebook.com' },
  ],
])('[C740] the timeline says of %j: %j', (entry, signIn) => {
  expect(parseSignIn({ ...ENTRY, ...entry })).toMatchObject(signIn);
});
