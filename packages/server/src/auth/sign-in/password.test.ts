import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';

const ANN = { email: 'ann@example.com', password: 'password' };

test('[I20] the right password signs in, and the account stores the time', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(ANN.email, ANN.password);
  client.clock.ms += 60_000;
  const { status, json } = await client.post('accounts:signInWithPassword', {
    ...ANN,
    email: 'ANN@Example.com',
  });
  expect(status).toBe(200);
  expect(json).toEqual({
    kind: 'identitytoolkit#VerifyPasswordResponse',
    localId,
    email: ANN.email,
    displayName: '',
    registered: true,
    idToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresIn: '3600',
  });
  expect(await client.lookup(json['idToken'])).toMatchObject({ lastLoginAt: String(client.clock.ms) });
});

test.each([
  [{ password: 'password' }, 'MISSING_EMAIL'],
  [{ email: '', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'ann', password: 'password' }, 'INVALID_EMAIL'],
  [{ email: 'ann@example.com' }, 'MISSING_PASSWORD'],
  [{ email: 'bob@example.com', password: 'password' }, 'EMAIL_NOT_FOUND'],
  [{ email: 'ann@example.com', password: 'Password' }, 'INVALID_PASSWORD'],
  [{ email: 'ann@example.com', password: ' password' }, 'INVALID_PASSWORD'],
])('[I21] signing in with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  await client.signUp(ANN.email, ANN.password);
  expect((await client.post('accounts:signInWithPassword', body)).error).toBe(error);
});

test('[I22] with email enumeration protection, an unknown address is answered like a wrong password', async () => {
  const client = await AuthClient.open();
  await client.signUp(ANN.email, ANN.password);
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  const answers = await Promise.all([
    client.post('accounts:signInWithPassword', { ...ANN, email: 'bob@example.com' }),
    client.post('accounts:signInWithPassword', { ...ANN, password: 'wrong-one' }),
  ]);
  expect(answers.map(({ text }) => text)).toEqual([answers[0]?.text, answers[0]?.text]);
  expect(answers[0]?.error).toBe('INVALID_LOGIN_CREDENTIALS');
});
