import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { requestCode, requireCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, change, enrollApp, factorsOf, finish, openAnn, openVerified } from './second-factor.fixture.ts';

const THIEF = 'thief@example.com';
const NEW_PASSWORD = 'another password';

const update = (client: AuthClient, body: object) => client.post('accounts:update', { ...body });

/** Changes the address with a code from a mail, and signs in with the new address and the password. */
async function takeAddress(client: AuthClient, idToken: unknown) {
  const oobCode = await requestCode(client, 'VERIFY_AND_CHANGE_EMAIL', { idToken, newEmail: THIEF });
  expect((await update(client, { oobCode })).status).toBe(200);
  return (await client.post('accounts:signInWithPassword', { ...ANN, email: THIEF })).json;
}

/** Recovers the account as its owner does: restores the address, sets a password and signs in with it. */
async function recover(client: AuthClient) {
  const { json } = await update(client, { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  expect(json).toMatchObject({ email: ANN.email });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: ANN.email });
  await client.post('accounts:resetPassword', { oobCode, newPassword: NEW_PASSWORD });
  return client.post('accounts:signInWithPassword', { email: ANN.email, password: NEW_PASSWORD });
}

test('[I661] recovery removes a second factor that an attacker added', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  const thief = await takeAddress(client, idToken);
  const { answer } = await enrollApp(client, thief['idToken']);
  expect(answer.status).toBe(200);
  const { json } = await recover(client);
  expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
  expect((await client.refresh(answer.json['refreshToken'])).error).toBe('TOKEN_EXPIRED');
});

test('[I661] recovery removes a second factor that an attacker added before another change of the address', async () => {
  const client = await AuthClient.open();
  const { uid, idToken } = await openVerified(client);
  const thief = await takeAddress(client, idToken);
  client.clock.ms += 60_000;
  await enrollApp(client, thief['idToken']);
  await change(client, uid, { email: 'other@example.com', emailVerified: true });
  const { json } = await recover(client);
  expect(factorsOf(await client.lookup(json['idToken']))).toEqual([]);
});

test('[I661] after recovery, the second factor from before the change is still required, and recovery codes are void', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const made = await client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken: ann.idToken });
  const [code] = made.json['recoveryCodes'] as readonly string[];
  await takeAddress(client, ann.idToken);
  client.clock.ms += 30_000;
  const { json } = await recover(client);
  const pending = json['mfaPendingCredential'];
  expect((await finish(client, pending, ann.enrollmentId, String(code))).error).toBe('INVALID_CODE');
  expect((await finish(client, pending, ann.enrollmentId, ann.app.code())).status).toBe(200);
});
