import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import {
  enroll,
  finishWith,
  requestOptions,
  signInWithPasskey,
  TestAuthenticator,
} from '../passkeys/authenticator.fixture.ts';
import { createTestTenant, OPEN_TENANT } from './tenant.fixture.ts';

/** Starts a server with two tenants and a user of the first who has a passkey. */
async function openPasskey() {
  const client = await AuthClient.open();
  const [tenantId, other] = [
    await createTestTenant(client, { ...OPEN_TENANT, displayName: 'Acme' }),
    await createTestTenant(client, { ...OPEN_TENANT, displayName: 'Other' }),
  ];
  const ann = { email: 'ann@example.com', password: 'correct-horse-battery' };
  const { json } = await client.post('accounts:signUp', { ...ann, tenantId });
  const authenticator = new TestAuthenticator();
  const enrolled = await enroll(client, authenticator, { idToken: json['idToken'], tenantId });
  expect(enrolled.error).toBeUndefined();
  return { client, tenantId, other, authenticator, uid: json['localId'] };
}

test('[I1126] a passkey of a user of a tenant signs in to the tenant, and nowhere else', async () => {
  const { client, tenantId, other, authenticator, uid } = await openPasskey();
  const { json } = await signInWithPasskey(client, authenticator, {}, { tenantId });
  expect(json).toMatchObject({ localId: uid });
  expect(claimsOf(json['idToken'])['firebase']).toMatchObject({
    tenant: tenantId,
    sign_in_provider: 'passkey',
  });
  for (const place of [{ tenantId: other }, {}])
    expect((await signInWithPasskey(client, authenticator, {}, place)).error).toBe(
      'PASSKEY_CREDENTIAL_NOT_FOUND',
    );
});

test('[I1126] a challenge for a passkey is valid only in the tenant for which it was created', async () => {
  const { client, tenantId, other, authenticator } = await openPasskey();
  for (const place of [{ tenantId: other }, {}]) {
    const options = await requestOptions(client, place);
    const { error } = await finishWith(client, authenticator.sign(options), { tenantId });
    expect(error).toBe('INVALID_SESSION_INFO');
  }
});
