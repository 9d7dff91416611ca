import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';

const ANN = { email: 'ann@example.com', password: 'password' };

async function open() {
  const client = await AuthClient.open();
  const ann = await client.signUp(ANN.email, ANN.password);
  await client.post('accounts:update', { idToken: ann['idToken'], displayName: 'Ann' });
  const read = (body: object) =>
    client.request('POST', '/v2/accounts/ownData:export?key=x', JSON.stringify(body));
  return { client, ann, read };
}

test('[I1510] a user gets what the server stores about the account, without secrets and without other accounts', async () => {
  const { client, ann, read } = await open();
  await client.signUp('bob@example.com', 'password');
  const { json, status } = await read({ idToken: ann['idToken'] });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    exportedAt: new Date(client.clock.ms).toISOString(),
    account: { localId: ann['localId'], email: ANN.email, displayName: 'Ann', hasPassword: true },
    unusedRecoveryCodes: 0,
    sessions: [{ signInProvider: 'password' }],
  });
  const text = JSON.stringify(json);
  expect(text).not.toMatch(/bob|seed|salt|passwordHash|initialEmail/);
  for (const secret of [ann['refreshToken'], ann['idToken']]) expect(text).not.toContain(secret);
  expect(client.audited.at(-1)).toMatchObject({ event: 'own_data_exported', uid: ann['localId'] });
});

test('[I1510] the export needs the token of a recent sign-in, and no field names another account', async () => {
  const { client, ann, read } = await open();
  const bob = await client.signUp('bob@example.com', 'password');
  const { idToken } = ann;
  const { json } = await read({ idToken, localId: bob['localId'], email: 'bob@example.com' });
  expect(json['account']).toMatchObject({ localId: ann['localId'] });
  expect((await read({ localId: bob['localId'] })).error).toBe('MISSING_ID_TOKEN');
  client.clock.ms += 301_000;
  expect((await read({ idToken })).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});
