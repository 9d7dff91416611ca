import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';

const KIND = 'identitytoolkit#CreateAuthUriResponse';
const ASK = { identifier: 'ann@example.com', continueUri: 'http://localhost/' };

function ask(client: AuthClient, body: object = {}) {
  return client.post('accounts:createAuthUri', { ...ASK, ...body });
}

test('[I421] the response says that an address has no account', async () => {
  const client = await AuthClient.open();
  const { status, json } = await ask(client);
  expect([status, json]).toEqual([
    200,
    { kind: KIND, registered: false, sessionId: expect.stringMatching(/^\w{27}$/) },
  ]);
});

test('[I421] the response lists the sign-in methods, and ignores the case of the address', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  await client.admin('projects/demo/accounts:update', {
    localId,
    linkProviderUserInfo: { providerId: 'google.com', rawId: '123' },
  });
  const { json } = await ask(client, { identifier: 'ANN@example.com', sessionId: 'mine' });
  expect(json).toEqual({
    kind: KIND,
    sessionId: 'mine',
    registered: true,
    allProviders: ['password', 'google.com'],
    signinMethods: ['password', 'google.com'],
  });
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, areDuplicateEmailsAllowed: true },
  }));
  expect((await ask(client)).json).toMatchObject({ allProviders: ['password'], signinMethods: ['password'] });
});

test('[I421] an account without sign-in methods counts as registered', async () => {
  const client = await AuthClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  await client.post('accounts:update', { idToken: anonymous['idToken'], email: 'ann@example.com' });
  const { json } = await ask(client, { sessionId: 'mine' });
  expect(json).toEqual({ kind: KIND, sessionId: 'mine', registered: true });
});

test('[I422] with email enumeration protection, the response is the same for every address', async () => {
  const client = await AuthClient.open();
  await client.signUp();
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  for (const identifier of ['ann@example.com', 'bob@example.com'])
    expect((await ask(client, { identifier, sessionId: 'mine' })).json).toEqual({
      kind: KIND,
      sessionId: 'mine',
    });
});

test.each([
  [{ identifier: null }, 'MISSING_IDENTIFIER'],
  [{ identifier: 'ann' }, 'INVALID_IDENTIFIER'],
  [{ continueUri: null }, 'MISSING_CONTINUE_URI'],
  [{ continueUri: 'ann' }, 'INVALID_CONTINUE_URI'],
  [{ continueUri: 'javascript:alert(1)' }, 'INVALID_CONTINUE_URI'],
  [{ identifier: null, providerId: 'oidc.mine' }, 'OPERATION_NOT_ALLOWED'],
  [{ providerId: 'google.com' }, 'OPERATION_NOT_ALLOWED'],
  [{ providerId: 'password' }, 'INVALID_PROVIDER_ID'],
  [{ providerId: 'google.com', continueUri: null }, 'OPERATION_NOT_ALLOWED'],
])('[I423] %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await ask(client, body)).error?.split(' : ')[0]).toBe(error);
});
