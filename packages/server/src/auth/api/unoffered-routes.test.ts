import { expect, test } from 'vitest';
import { IdentityClient } from './auth-client.fixture.ts';

test.each([
  '/v1/accounts:sendVerificationCode',
  '/v1/accounts:signInWithPhoneNumber',
  '/v1/accounts:signInWithIdp',
  '/v1/accounts:signInWithGameCenter',
  '/v2/accounts:revokeToken',
  '/v2/accounts/passkeyEnrollment:start',
  '/v2/accounts/passkeySignIn:finalize',
  '/identitytoolkit/v3/relyingparty/verifyAssertion',
])('[I431] %s is rejected like a provider that is not enabled', async (path) => {
  const client = await IdentityClient.open();
  const { status, error } = await client.post(path, { requestUri: 'http://localhost' });
  expect([status, error?.split(' : ')[0]]).toEqual([400, 'OPERATION_NOT_ALLOWED']);
});

test('[I431] other unsupported methods are answered in a way that clients understand', async () => {
  const client = await IdentityClient.open();
  expect((await client.post('accounts:verifyIosClient')).error).toBe('APP_NOT_VERIFIED');
  expect((await client.post('accounts:issueSamlResponse')).status).toBe(501);
  expect((await client.post('/identitytoolkit/v3/relyingparty/signOutUser')).json).toEqual({});
});
