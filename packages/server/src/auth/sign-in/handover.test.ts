import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { change, openVerified } from '../mfa/second-factor.fixture.ts';
import { enroll, signInWithPasskey, TestAuthenticator } from '../passkeys/authenticator.fixture.ts';
import { consoleKeyOf } from '../projects/projects.ts';

/** Signs in with a passkey. */
async function open() {
  const client = await AuthClient.open();
  const { idToken, uid } = await openVerified(client);
  const authenticator = new TestAuthenticator();
  await enroll(client, authenticator, { idToken });
  const { json } = await signInWithPasskey(client, authenticator);
  const takeOver = (token: unknown) => client.post('accounts:signInWithCustomToken', { token });
  return { client, uid, signedIn: json, takeOver };
}

test('[I922] the custom token of a sign-in with a passkey continues it with method, factor and time', async () => {
  const { client, uid, signedIn, takeOver } = await open();
  client.clock.ms += 30_000;
  const { json } = await takeOver(signedIn['customToken']);
  expect(json).toMatchObject({ localId: uid, expiresIn: '3600' });
  const { firebase, auth_time } = claimsOf(json['idToken']);
  expect(firebase).toEqual(claimsOf(signedIn['idToken'])['firebase']);
  expect(firebase).toMatchObject({ sign_in_provider: 'passkey' });
  expect(auth_time).toBe(claimsOf(signedIn['idToken'])['auth_time']);
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
  expect((await client.refresh(signedIn['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await client.lookup(json['idToken']))['customAuth']).toBeUndefined();
});

test('[I923] the custom token works once, however many clients send it at the same time', async () => {
  const { signedIn, takeOver } = await open();
  const answers = await Promise.all(Array.from({ length: 10 }, () => takeOver(signedIn['customToken'])));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status !== 200)?.error).toMatch(/^INVALID_CUSTOM_TOKEN/);
});

test('[I923] the custom token is valid for a minute, and only with the API key and the session of the sign-in', async () => {
  const { client, uid, signedIn, takeOver } = await open();
  const token = signedIn['customToken'];
  const body = JSON.stringify({ token });
  for (const key of ['other', consoleKeyOf('other')])
    expect(
      (await client.request('POST', `/v1/accounts:signInWithCustomToken?key=${key}`, body)).error,
    ).toMatch(/^INVALID_CUSTOM_TOKEN/);
  const forged = String(token).replace(
    /\.(.)([^.]*)$/,
    (_all, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
  );
  expect((await takeOver(forged)).error).toMatch(/^INVALID_CUSTOM_TOKEN/);
  client.clock.ms += 60_000;
  expect((await takeOver(token)).error).toMatch(/^INVALID_CUSTOM_TOKEN/);
  client.clock.ms -= 60_000;
  await change(client, uid, { disableUser: true });
  await change(client, uid, { disableUser: false });
  expect((await takeOver(token)).error).toMatch(/^INVALID_CUSTOM_TOKEN/);
});
