import { expect, test } from 'vitest';
import { claimsOf, IdentityClient } from '../api/auth-client.fixture.ts';
import { requestCode, requireCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, change, finish, openAnn, pendingOf } from '../mfa/second-factor.fixture.ts';

const EMAIL = ANN.email;
const VICTIM = 'victim@example.com';
const NEW_PASSWORD = 'another password';

const update = (client: IdentityClient, body: object) => client.post('accounts:update', { ...body });

const lookupError = async (client: IdentityClient, idToken: unknown) =>
  (await client.post('accounts:lookup', { idToken })).error;

async function reset(client: IdentityClient, email = EMAIL, newPassword = NEW_PASSWORD): Promise<void> {
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email });
  const { status } = await client.post('accounts:resetPassword', { oobCode, newPassword });
  expect(status).toBe(200);
}

async function signInByLink(client: IdentityClient, email: string, more: object = {}) {
  const oobCode = await requestCode(client, 'EMAIL_SIGNIN', { email });
  return client.post('accounts:signInWithEmailLink', { email, oobCode, ...more });
}

/** The ID token of an account with so many new passwords in one second that its time is ahead. */
async function hurry(client: IdentityClient, token: unknown, times: number): Promise<unknown> {
  let idToken = token;
  for (let i = 0; i < times; i += 1)
    idToken = (await update(client, { idToken, password: `password ${i}` })).json['idToken'];
  return idToken;
}

const ENDINGS: readonly (readonly [
  string,
  (client: IdentityClient, localId: unknown) => Promise<unknown>,
])[] = [
  ['a reset', (client) => reset(client)],
  ['a sign-in that proves the address', (client) => signInByLink(client, EMAIL)],
  [
    'a changed address',
    async (client) => {
      const { json } = await client.post('accounts:signInWithPassword', ANN);
      const body = { idToken: json['idToken'], newEmail: 'new@example.com' };
      const oobCode = await requestCode(client, 'VERIFY_AND_CHANGE_EMAIL', body);
      await update(client, { oobCode });
    },
  ],
  ['a revocation', (client, uid) => change(client, uid, { validSince: nowSec(client) })],
  ['a revocation as of long ago', (client, uid) => change(client, uid, { validSince: '1' })],
  ['a password by an administrator', (client, uid) => change(client, uid, { password: NEW_PASSWORD })],
  ['an address by an administrator', (client, uid) => change(client, uid, { email: 'new@example.com' })],
];

function nowSec(client: IdentityClient): string {
  return String(Math.floor(client.clock.ms / 1_000));
}

test.each(ENDINGS)('[I540] after %s, tokens of the same second count no more', async (_what, end) => {
  const client = await IdentityClient.open();
  const { localId, idToken } = await client.signUp();
  await end(client, localId);
  expect(await lookupError(client, idToken)).toBe('TOKEN_EXPIRED');
});

test.each(ENDINGS.filter(([what]) => what !== 'a changed address'))(
  '[I540] after %s, tokens of seconds ahead count no more',
  async (_what, end) => {
    const client = await IdentityClient.open();
    const { localId, idToken } = await client.signUp();
    const ahead = await hurry(client, idToken, 12);
    expect(claimsOf(ahead)['iat']).toBe(Number(nowSec(client)) + 12);
    await end(client, localId);
    expect(await lookupError(client, ahead)).toBe('TOKEN_EXPIRED');
  },
);

test('[I540] after a recovery, neither do tokens of the same second', async () => {
  const client = await IdentityClient.open();
  const { idToken } = await client.signUp();
  const { json } = await update(client, { idToken, email: 'thief@example.com' });
  await update(client, { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  expect(await lookupError(client, json['idToken'])).toBe('TOKEN_EXPIRED');
});

test('[I540] who signs in afterwards, in the same second, has tokens that count', async () => {
  const client = await IdentityClient.open();
  await client.signUp();
  await reset(client);
  const { json } = await client.post('accounts:signInWithPassword', { email: EMAIL, password: NEW_PASSWORD });
  expect(await client.lookup(json['idToken'])).toMatchObject({
    validSince: String(claimsOf(json['idToken'])['auth_time']),
  });
});

test('[I541] tokens that would be more than 30 s ahead are refused, and nothing is changed', async () => {
  const client = await IdentityClient.open();
  const { idToken } = await client.signUp();
  const ahead = await hurry(client, idToken, 30);
  const denied = await update(client, { idToken: ahead, password: NEW_PASSWORD });
  expect(denied.error).toMatch(/^TOO_MANY_ATTEMPTS_TRY_LATER : /);
  expect((await update(client, { idToken: ahead, displayName: 'Ann' })).status).toBe(200);
  await reset(client);
  expect(await lookupError(client, ahead)).toBe('TOKEN_EXPIRED');
});

test.each(['4000000000', '9007199254740991', '2147483648'])(
  '[I542] tokens are not revoked as of %s',
  async (validSince) => {
    const client = await IdentityClient.open();
    const { localId, idToken } = await client.signUp();
    expect((await change(client, localId, { validSince })).error).toMatch(/^INVALID_ARGUMENT : "validSince"/);
    expect(await lookupError(client, idToken)).toBeUndefined();
  },
);

test('[I542] a clock that is a little ahead revokes what there is', async () => {
  const client = await IdentityClient.open();
  const { localId, idToken } = await client.signUp();
  const validSince = String(Number(nowSec(client)) + 300);
  expect((await change(client, localId, { validSince })).status).toBe(200);
  expect(await lookupError(client, idToken)).toBe('TOKEN_EXPIRED');
  const { json } = await client.post('accounts:signInWithPassword', ANN);
  expect(Number(claimsOf(json['idToken'])['iat'])).toBe(Number(nowSec(client)) + 1);
});

test('[I543] an anonymous account that gets an address by a mail loses its sessions from before', async () => {
  const client = await IdentityClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  const { json: other } = await client.refresh(anonymous['refreshToken']);
  client.clock.ms += 301_000;
  const { json } = await signInByLink(client, EMAIL, { idToken: anonymous['idToken'] });
  expect(json['localId']).toBe(anonymous['localId']);
  for (const idToken of [anonymous['idToken'], other['id_token']])
    expect(await lookupError(client, idToken)).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(anonymous['refreshToken'])).error).toBe('TOKEN_EXPIRED');
  expect((await client.refresh(json['refreshToken'])).status).toBe(200);
});

test.each([
  { email: EMAIL, password: 'password' },
  { phoneNumber: '+15555550100' },
  { linkProviderUserInfo: { providerId: 'google.com', rawId: '1' } },
])('[I543] an anonymous session of an account with %j has to be of late', async (changes) => {
  const client = await IdentityClient.open();
  const { json: anonymous } = await client.post('accounts:signUp');
  await change(client, anonymous['localId'], changes);
  client.clock.ms += 1_000;
  const claims = claimsOf(anonymous['idToken']);
  const issued = {
    ...claims,
    iat: Number(nowSec(client)) + 10,
    auth_time: Number(claims['auth_time']) - 300,
  };
  const idToken = `${[{ alg: 'none' }, issued].map(encode).join('.')}.`;
  expect((await client.post('accounts:delete', { idToken })).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});

function encode(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

test('[I344] a password from before the address was taken away is void, too', async () => {
  const client = await IdentityClient.open();
  const { idToken } = await client.signUp();
  const { json } = await update(client, { idToken, password: 'stolen password' });
  client.clock.ms += 2_000;
  await update(client, { idToken: json['idToken'], email: 'thief@example.com' });
  await update(client, { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  const signIn = { email: EMAIL, password: 'stolen password' };
  expect((await client.post('accounts:signInWithPassword', signIn)).error).toBe('INVALID_PASSWORD');
});

/** Somebody who has an account with an address of theirs and goes on to that of a victim, with a code for the way back. */
async function openHijack({ isVerified }: { readonly isVerified: boolean }) {
  const client = await IdentityClient.open();
  const { localId, idToken } = await client.signUp();
  await change(client, localId, { emailVerified: isVerified });
  const { json } = await update(client, { idToken, email: VICTIM });
  return { client, idToken: json['idToken'], oobCode: await requireCode(client, 'RECOVER_EMAIL') };
}

const PROOFS: readonly (readonly [string, (client: IdentityClient, idToken: unknown) => Promise<unknown>])[] =
  [
    ['a reset', (client) => reset(client, VICTIM)],
    ['a sign-in by a mail', (client) => signInByLink(client, VICTIM)],
    ['linking by a mail', (client, idToken) => signInByLink(client, VICTIM, { idToken })],
    [
      'a confirmed change',
      async (client, idToken) => {
        const body = { idToken, newEmail: 'third@example.com' };
        await update(client, { oobCode: await requestCode(client, 'VERIFY_AND_CHANGE_EMAIL', body) });
      },
    ],
    [
      'a verification',
      async (client, idToken) =>
        update(client, { oobCode: await requestCode(client, 'VERIFY_EMAIL', { idToken }) }),
    ],
  ];

test.each(PROOFS)(
  '[I544] %s proves an address, and voids the way back to one never proved',
  async (_what, prove) => {
    const { client, idToken, oobCode } = await openHijack({ isVerified: false });
    await prove(client, idToken);
    expect((await update(client, { oobCode })).error).toBe('INVALID_OOB_CODE');
  },
);

test.each(PROOFS)('[I544] %s voids no way back to an address that was proved', async (_what, prove) => {
  const { client, idToken, oobCode } = await openHijack({ isVerified: true });
  await prove(client, idToken);
  expect((await update(client, { oobCode })).json).toMatchObject({ email: EMAIL, emailVerified: true });
});

test('[I544] giving an address back for a moment does not make it one that was never proved', async () => {
  const { client, idToken } = await openHijack({ isVerified: true });
  const { json } = await update(client, { idToken, email: EMAIL });
  await update(client, { idToken: json['idToken'], email: VICTIM });
  const oobCode = await requireCode(client, 'RECOVER_EMAIL');
  await reset(client, VICTIM);
  expect((await update(client, { oobCode })).json).toMatchObject({ email: EMAIL });
});

async function useUpWrongCodes(client: IdentityClient, enrollmentId: string, wrong: string): Promise<void> {
  for (let i = 0; i < 4; i += 1) {
    const pending = await pendingOf(client);
    for (let j = 0; j < 5; j += 1)
      expect((await finish(client, pending, enrollmentId, wrong)).error).toBe('INVALID_CODE');
  }
}

test('[I545] a new password by a mail does not make wrong codes forgotten, an administrator does', async () => {
  const client = await IdentityClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  await useUpWrongCodes(client, enrollmentId, app.wrongCode());
  await reset(client, EMAIL, ANN.password);
  const pending = await pendingOf(client);
  expect((await finish(client, pending, enrollmentId, app.code())).error).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  await change(client, uid, { validSince: nowSec(client) });
  expect((await finish(client, await pendingOf(client), enrollmentId, app.code())).status).toBe(200);
});

test('[I545] it makes sign-ins forgotten that nobody completed', async () => {
  const client = await IdentityClient.open();
  const { app, enrollmentId } = await openAnn(client);
  for (let i = 0; i < 10; i += 1) await pendingOf(client);
  await reset(client, EMAIL, ANN.password);
  expect((await finish(client, await pendingOf(client), enrollmentId, app.code())).status).toBe(200);
});

test('[I545] nothing of it is left of an account that is gone', async () => {
  const client = await IdentityClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  await finish(client, await pendingOf(client), enrollmentId, app.wrongCode());
  await client.admin('/v1/projects/demo/accounts:delete', { localId: uid });
  const left = client.services.recordStore.read((view) =>
    view.records('accounts:demo').find(['challenges', uid]),
  );
  expect(left).toBeUndefined();
});

const withdraw = (client: IdentityClient, idToken: unknown, mfaEnrollmentId: string) =>
  client.post('/v2/accounts/mfaEnrollment:withdraw', { idToken, mfaEnrollmentId });

test('[I546] a session that has used no second factor withdraws none', async () => {
  const client = await IdentityClient.open();
  const { uid, enrollmentId } = await openAnn(client);
  const { json } = await client.post('accounts:signInWithCustomToken', { token: JSON.stringify({ uid }) });
  expect((await withdraw(client, json['idToken'], enrollmentId)).error).toMatch(
    /^CREDENTIAL_TOO_OLD_LOGIN_AGAIN/,
  );
});

test('[I546] unless it was enrolled since the session began', async () => {
  const client = await IdentityClient.open();
  const { enrollmentId, earlier } = await openAnn(client);
  expect((await withdraw(client, earlier.idToken, enrollmentId)).status).toBe(200);
});

test('[I546] a recovery code does for the second factor', async () => {
  const client = await IdentityClient.open();
  const { idToken, enrollmentId } = await openAnn(client);
  const { json } = await client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
  const [code] = json['recoveryCodes'] as readonly string[];
  const signedIn = await finish(client, await pendingOf(client), enrollmentId, code ?? '');
  expect((await withdraw(client, signedIn.json['idToken'], enrollmentId)).status).toBe(200);
});

test('[I547] of sessions that began in one second, a change keeps the claims of its own', async () => {
  const client = await IdentityClient.open();
  const signIn = async (claims: object) => {
    const token = JSON.stringify({ uid: 'carl', claims });
    return (await client.post('accounts:signInWithCustomToken', { token })).json['idToken'];
  };
  for (let round = 0; round < 8; round += 1) {
    await signIn({});
    const idToken = await signIn({ role: 'guest', round });
    await signIn({ role: 'guest' });
    const { json } = await update(client, { idToken, password: NEW_PASSWORD, email: `${round}@example.com` });
    expect(claimsOf(json['idToken'])).toMatchObject({ role: 'guest', round });
    client.clock.ms += 60_000;
  }
});
