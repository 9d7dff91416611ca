import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { type Ann, factorsOf, finish, openAnn, openVerified, pendingOf } from './second-factor.fixture.ts';

function generate(client: AuthClient, idToken: unknown) {
  return client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
}

async function codesOf(client: AuthClient, { idToken }: Ann): Promise<readonly string[]> {
  const codes: unknown = (await generate(client, idToken)).json['recoveryCodes'];
  return Array.isArray(codes) ? codes : [];
}

test('[I237] a user gets ten recovery codes, shown once and stored as hashes', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const codes = await codesOf(client, ann);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{6}(-[a-z2-7]{6}){3}$/);
  const stored = client.services.recordStore.read((view) =>
    view.records('accounts:demo').find(['accounts', ann.uid]),
  );
  const texts = [stored, client.audited, await client.lookup(ann.idToken)].map((json) =>
    JSON.stringify(json),
  );
  for (const code of codes)
    for (const text of texts) expect(text.toLowerCase()).not.toContain(code.replaceAll('-', ''));
  expect(client.audited).toContainEqual(
    expect.objectContaining({ event: 'recovery_codes_made', uid: ann.uid }),
  );
});

test('[I237] new recovery codes replace the earlier ones', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const [old = ''] = await codesOf(client, ann);
  const [code = ''] = await codesOf(client, ann);
  const pending = await pendingOf(client);
  expect((await finish(client, pending, ann.enrollmentId, old)).error).toBe('INVALID_CODE');
  expect((await finish(client, pending, ann.enrollmentId, code)).status).toBe(200);
});

test('[I237] generating recovery codes needs a recent sign-in with a second factor', async () => {
  const client = await AuthClient.open();
  const bob = await openVerified(client, 'bob@example.com');
  expect((await generate(client, bob.idToken)).error).toBe('MFA_ENROLLMENT_NOT_FOUND');
  expect((await generate(client, undefined)).error).toBe('MISSING_ID_TOKEN');
  const ann = await openAnn(client);
  expect((await generate(client, ann.earlier.idToken)).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  client.clock.ms += 301_000;
  expect((await generate(client, ann.idToken)).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});

test('[I238] a recovery code replaces a code of the app once, in any case and with any separators', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const [first = '', second = ''] = await codesOf(client, ann);
  const { json } = await finish(client, await pendingOf(client), ann.enrollmentId, first);
  expect(claimsOf(json['idToken'])).toMatchObject({
    firebase: { sign_in_second_factor: 'totp', second_factor_identifier: ann.enrollmentId },
  });
  expect(factorsOf(await client.lookup(json['idToken']))).toHaveLength(1);
  expect(client.audited).toContainEqual(
    expect.objectContaining({ event: 'recovery_code_used', uid: ann.uid, detail: '9 left' }),
  );
  const pending = await pendingOf(client);
  expect((await finish(client, pending, ann.enrollmentId, first)).error).toBe('INVALID_CODE');
  const written = second.toUpperCase().replaceAll('-', ' ');
  expect((await finish(client, pending, ann.enrollmentId, written)).status).toBe(200);
});

test('[I238] of many concurrent uses of a recovery code, one succeeds', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const [code = ''] = await codesOf(client, ann);
  const pendings = await Promise.all(Array.from({ length: 8 }, () => pendingOf(client)));
  const answers = await Promise.all(
    pendings.map((pending) => finish(client, pending, ann.enrollmentId, code)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('[I238] recovery codes are removed with the last factor', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  await codesOf(client, ann);
  await client.post('/v2/accounts/mfaEnrollment:withdraw', {
    idToken: ann.idToken,
    mfaEnrollmentId: ann.enrollmentId,
  });
  const stored = client.services.recordStore.read((view) =>
    view.records('accounts:demo').find(['accounts', ann.uid]),
  );
  expect(Object(stored)).not.toHaveProperty('recoveryCodes');
});
