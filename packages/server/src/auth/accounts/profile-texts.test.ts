import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { change, enrollApp, factorsOf, openVerified } from '../mfa/second-factor.fixture.ts';

const GIVEN = 'Ann\ud800\u0000\nLee 👋';
const STORED = 'Ann\ufffd  Lee 👋';

test('[I667] the response shows the display name as it is stored', async () => {
  const client = await AuthClient.open();
  const email = 'bob@example.com';
  const { json } = await client.post('accounts:signUp', { email, password: 'password', displayName: GIVEN });
  expect(json).toMatchObject({ displayName: STORED });
  const { idToken, localId } = json;
  expect(await client.lookup(idToken)).toMatchObject({ displayName: STORED });
  const renamed = await client.post('accounts:update', { idToken, displayName: `${GIVEN}!` });
  expect(renamed.json).toMatchObject({ displayName: `${STORED}!` });
  expect(await client.lookup(idToken)).toMatchObject({ displayName: `${STORED}!` });
  await change(client, localId, { displayName: GIVEN });
  expect(await client.lookup(idToken)).toMatchObject({ displayName: STORED });
});

test('[I667] the response shows the name of a second factor as it is stored', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openVerified(client);
  await enrollApp(client, idToken, { displayName: GIVEN });
  expect(factorsOf(await client.lookup(idToken))).toMatchObject([{ displayName: STORED }]);
});
