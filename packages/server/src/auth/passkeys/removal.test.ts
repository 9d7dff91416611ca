import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails, requireCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, change, openVerified } from '../mfa/second-factor.fixture.ts';
import { enroll, passkeysOf, signInWithPasskey, TestAuthenticator } from './authenticator.fixture.ts';

/** Opens a server with an account that has two passkeys. */
async function open() {
  const client = await AuthClient.open();
  const { idToken, refreshToken, uid } = await openVerified(client);
  const [kept, lost] = [new TestAuthenticator(), new TestAuthenticator()];
  for (const authenticator of [kept, lost]) await enroll(client, authenticator, { idToken });
  const remove = (token: unknown, more: object = {}) =>
    client.post('accounts:update', {
      idToken: token,
      deletePasskey: [lost.credentialId, 'unknown'],
      ...more,
    });
  return { client, uid, idToken, refreshToken, kept, lost, remove };
}

test('[I924] a removed passkey no longer signs in, and its sessions end; others stay', async () => {
  const { client, uid, idToken, refreshToken, kept, lost, remove } = await open();
  const session = (await signInWithPasskey(client, lost)).json;
  const other = (await signInWithPasskey(client, kept)).json;
  expect((await remove(idToken)).status).toBe(200);
  expect(passkeysOf(await client.lookup(idToken))).toMatchObject([{ credentialId: kept.credentialId }]);
  expect((await signInWithPasskey(client, lost)).error).toBe('PASSKEY_CREDENTIAL_NOT_FOUND');
  expect((await client.refresh(session['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  for (const token of [refreshToken, other['refreshToken']])
    expect((await client.refresh(token)).status).toBe(200);
  expect(listMails(client)).toContainEqual(
    expect.objectContaining({ to: ANN.email, kind: 'passkeyRemoved' }),
  );
  expect(client.audited.filter(({ event }) => event === 'passkey_removed')).toMatchObject([{ uid }]);
});

test('[I924] the user who removes the passkey of the current session gets tokens that do not name it', async () => {
  const { client, lost, refreshToken, remove } = await open();
  const session = (await signInWithPasskey(client, lost)).json;
  const { json } = await remove(session['idToken']);
  expect(claimsOf(json['idToken'])['firebase']).not.toHaveProperty('sign_in_second_factor');
  expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
});

test('[I924] removing a passkey needs a recent sign-in, and IDs of unknown passkeys are ignored', async () => {
  const { client, idToken, remove } = await open();
  expect((await remove(idToken, { deletePasskey: ['unknown'] })).status).toBe(200);
  client.clock.ms += 301_000;
  expect((await remove(idToken)).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});

test('[I924] an administrator removes passkeys, and their sessions end', async () => {
  const { client, uid, kept, lost } = await open();
  const session = (await signInWithPasskey(client, lost)).json;
  const other = (await signInWithPasskey(client, kept)).json;
  await change(client, uid, { deletePasskey: [lost.credentialId] });
  expect(client.audited.at(-1)).toMatchObject({ event: 'account_updated', detail: 'deletePasskey' });
  expect((await client.refresh(session['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(other['refreshToken'])).status).toBe(200);
});

test('[I925] a password reset removes the passkeys that were added before the address was verified, and no others', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const [attacker, owner] = [new TestAuthenticator(), new TestAuthenticator()];
  const { json } = await enroll(client, attacker, { idToken });
  await change(client, json['localId'], { emailVerified: true });
  await enroll(client, owner, { idToken });
  await client.post('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: ANN.email });
  const oobCode = await requireCode(client, 'PASSWORD_RESET');
  await client.post('accounts:resetPassword', { oobCode, newPassword: 'another password' });
  expect((await signInWithPasskey(client, attacker)).error).toBe('PASSKEY_CREDENTIAL_NOT_FOUND');
  expect((await signInWithPasskey(client, owner)).status).toBe(200);
});

test('[I925] the recovery of an address removes the passkeys that were added since it was changed', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const [owner, attacker] = [new TestAuthenticator(), new TestAuthenticator()];
  await enroll(client, owner, { idToken });
  client.clock.ms += 1_000;
  const { json } = await client.post('accounts:update', { idToken, email: 'thief@example.com' });
  client.clock.ms += 1_000;
  expect((await enroll(client, attacker, { idToken: json['idToken'] })).status).toBe(200);
  await client.post('accounts:update', { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  expect((await signInWithPasskey(client, attacker)).error).toBe('PASSKEY_CREDENTIAL_NOT_FOUND');
  expect((await signInWithPasskey(client, owner)).status).toBe(200);
});
