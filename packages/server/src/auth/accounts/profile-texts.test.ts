import { expect, test } from 'vitest';
import { IdentityClient } from '../api/auth-client.fixture.ts';
import { change, enrol, factorsOf, openVerified } from '../mfa/second-factor.fixture.ts';

const GIVEN = 'Ann\ud800\u0000\nLee 👋';
const KEPT = 'Ann\ufffd  Lee 👋';

test('[I667] what is answered of a name is what is kept of it', async () => {
  const client = await IdentityClient.open();
  const email = 'bob@example.com';
  const { json } = await client.post('accounts:signUp', { email, password: 'password', displayName: GIVEN });
  expect(json).toMatchObject({ displayName: KEPT });
  const { idToken, localId } = json;
  expect(await client.lookup(idToken)).toMatchObject({ displayName: KEPT });
  const renamed = await client.post('accounts:update', { idToken, displayName: `${GIVEN}!` });
  expect(renamed.json).toMatchObject({ displayName: `${KEPT}!` });
  expect(await client.lookup(idToken)).toMatchObject({ displayName: `${KEPT}!` });
  await change(client, localId, { displayName: GIVEN });
  expect(await client.lookup(idToken)).toMatchObject({ displayName: KEPT });
});

test('[I667] so it is with the name of a second factor', async () => {
  const client = await IdentityClient.open();
  const { idToken } = await openVerified(client);
  await enrol(client, idToken, { displayName: GIVEN });
  expect(factorsOf(await client.lookup(idToken))).toMatchObject([{ displayName: KEPT }]);
});
