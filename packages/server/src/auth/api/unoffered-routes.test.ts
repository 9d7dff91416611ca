import { expect, test } from 'vitest';
import { AuthClient } from './auth-client.fixture.ts';

test('[I431] signing in by a game is rejected like a provider that is not enabled', async () => {
  const client = await AuthClient.open();
  const { status, error } = await client.post('/v1/accounts:signInWithGameCenter');
  expect([status, error?.split(' : ')[0]]).toEqual([400, 'OPERATION_NOT_ALLOWED']);
});

test('[I431] other unsupported methods answer an error or an empty object that clients understand', async () => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:verifyIosClient')).error).toBe('APP_NOT_VERIFIED');
  expect((await client.post('accounts:issueSamlResponse')).status).toBe(501);
  expect((await client.post('/identitytoolkit/v3/relyingparty/signOutUser')).json).toEqual({});
});
