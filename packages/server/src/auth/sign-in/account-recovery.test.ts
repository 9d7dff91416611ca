import { expect, test } from 'vitest';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { requestCode, requireCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, change, finish, openAnn, pendingOf } from '../mfa/second-factor.fixture.ts';

const EMAIL = ANN.email;
const VICTIM = 'victim@example.com';
const NEW_PASSWORD = 'another password';

const update = (client: AuthClient, body: object) => client.post('accounts:update', { ...body });

const lookupError = async (client: AuthClient, idToken: unknown) =>
  (await client.post('accounts:lookup', { idToken })).error;

async function reset(client: AuthClient, email = EMAIL, newPassword = NEW_PASSWORD): Promise<void> {
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email });
  const { status } = await client.post('accounts:resetPassword', { oobCode, newPassword });
  expect(status).toBe(200);
}

async function signInByLink(client: AuthClient, email: string, more: object = {}) {
  const oobCode = await requestCode(client, 'EMAIL_SIGNIN', { email });
  return client.post('accounts:signInWithEmailLink', { email, oobCode, ...more });
}

/**
 * Sets a password `times` times within one second. Returns the last ID token, whose time of issue is `times` seconds
 * ahead.
 */
async function changePasswords(client: AuthClient, token: unknown, times: number): Promise<unknown> {
  let idToken = token;
  for (let i = 0; i < times; i += 1)
    idToken = (await update(client, { idToken, password: `password ${i}` })).json['idToken'];
  return idToken;
}

const ENDINGS: readonly (readonly [string, (client: AuthClient, localId: unknown) => Promise<unknown>])[] = [
  ['a password reset', (client) => reset(client)],
  ['a sign-in that verifies the address', (client) => signInByLink(client, EMAIL)],
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
  ['a revocation with a time in the past', (client, uid) => change(client, uid, { validSince: '1' })],
  ['a password set by an administrator', (client, uid) => change(client, uid, { password: NEW_PASSWORD })],
  ['an address set by an administrator', (client, uid) => change(client, uid, { email: 'new@example.com' })],
];

function nowSec(client: AuthClient): string {
  return String(Math.floor(client.clock.ms / 1_000));
}

test.each(ENDINGS)('[I540] after %s, tokens of the same second are rejected', async (_what, end) => {
  const client = await AuthClient.open();
  const { localId, idToken } = await client.signUp();
  await end(client, localId);
  expect(await lookupError(client, idToken)).toBe('TOKEN_EXPIRED');
});

test.each(ENDINGS.filter(([what]) => what !== 'a changed address'))(
  '[I540] after %s, tokens that were issued ahead of the clock are rejected',
  async (_what, end) => {
    const client = await AuthClient.open();
    const { localId, idToken } = await client.signUp();
    const ahead = await changePasswords(client, idToken, 12);
    expect(claimsOf(ahead)['iat']).toBe(Number(nowSec(client)) + 12);
    await end(client, localId);
    expect(await lookupError(client, ahead)).toBe('TOKEN_EXPIRED');
  },
);

test('[I540] after a recovery, tokens of the same second are rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const { json } = await update(client, { idToken, email: 'thief@example.com' });
  await update(client, { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  expect(await lookupError(client, json['idToken'])).toBe('TOKEN_EXPIRED');
});

test('[I540] a user who signs in after a revocation, in the same second, gets valid tokens', async () => {
  const client = await AuthClient.open();
  await client.signUp();
  await reset(client);
  const { json } = await client.post('accounts:signInWithPassword', { email: EMAIL, password: NEW_PASSWORD });
  expect(await client.lookup(json['idToken'])).toMatchObject({
    validSince: String(claimsOf(json['idToken'])['auth_time']),
  });
});

test('[I541] a change whose tokens would be more than 30 s ahead is rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const ahead = await changePasswords(client, idToken, 30);
  const denied = await update(client, { idToken: ahead, password: NEW_PASSWORD });
  expect(denied.error).toMatch(/^TOO_MANY_ATTEMPTS_TRY_LATER : /);
  expect((await update(client, { idToken: ahead, displayName: 'Ann' })).status).toBe(200);
  await reset(client);
  expect(await lookupError(client, ahead)).toBe('TOKEN_EXPIRED');
});

test.each(['4000000000', '9007199254740991', '2147483648'])(
  '[I542] a revocation with the time %s, which is too far ahead, is rejected',
  async (validSince) => {
    const client = await AuthClient.open();
    const { localId, idToken } = await client.signUp();
    expect((await change(client, localId, { validSince })).error).toMatch(/^INVALID_ARGUMENT : "validSince"/);
    expect(await lookupError(client, idToken)).toBeUndefined();
  },
);

test('[I542] a revocation with a time at most 5 minutes ahead revokes all existing tokens', async () => {
  const client = await AuthClient.open();
  const { localId, idToken } = await client.signUp();
  const validSince = String(Number(nowSec(client)) + 300);
  expect((await change(client, localId, { validSince })).status).toBe(200);
  expect(await lookupError(client, idToken)).toBe('TOKEN_EXPIRED');
  const { json } = await client.post('accounts:signInWithPassword', ANN);
  expect(Number(claimsOf(json['idToken'])['iat'])).toBe(Number(nowSec(client)) + 1);
});

test('[I543] an anonymous account that gets an address by a mail loses its earlier sessions', async () => {
  const client = await AuthClient.open();
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
])('[I543] an anonymous session of an account with %j needs a recent sign-in', async (changes) => {
  const client = await AuthClient.open();
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

test('[I344] recovery also voids a password that was set before the address changed', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp();
  const { json } = await update(client, { idToken, password: 'stolen password' });
  client.clock.ms += 2_000;
  await update(client, { idToken: json['idToken'], email: 'thief@example.com' });
  await update(client, { oobCode: await requireCode(client, 'RECOVER_EMAIL') });
  const signIn = { email: EMAIL, password: 'stolen password' };
  expect((await client.post('accounts:signInWithPassword', signIn)).error).toBe('INVALID_PASSWORD');
});

/** Signs up as an attacker, sets the address of a victim, and returns the code that restores the first address. */
async function openHijack({ isVerified }: { readonly isVerified: boolean }) {
  const client = await AuthClient.open();
  const { localId, idToken } = await client.signUp();
  await change(client, localId, { emailVerified: isVerified });
  const { json } = await update(client, { idToken, email: VICTIM });
  return { client, idToken: json['idToken'], oobCode: await requireCode(client, 'RECOVER_EMAIL') };
}

const PROOFS: readonly (readonly [string, (client: AuthClient, idToken: unknown) => Promise<unknown>])[] = [
  ['a password reset', (client) => reset(client, VICTIM)],
  ['a sign-in by mail', (client) => signInByLink(client, VICTIM)],
  ['linking by mail', (client, idToken) => signInByLink(client, VICTIM, { idToken })],
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
  '[I544] %s verifies the address, and voids the code that restores an unverified one',
  async (_what, prove) => {
    const { client, idToken, oobCode } = await openHijack({ isVerified: false });
    await prove(client, idToken);
    expect((await update(client, { oobCode })).error).toBe('INVALID_OOB_CODE');
  },
);

test.each(PROOFS)(
  '[I544] %s does not void the code that restores a verified address',
  async (_what, prove) => {
    const { client, idToken, oobCode } = await openHijack({ isVerified: true });
    await prove(client, idToken);
    expect((await update(client, { oobCode })).json).toMatchObject({ email: EMAIL, emailVerified: true });
  },
);

test('[I544] restoring an address for a short time does not make it unverified', async () => {
  const { client, idToken } = await openHijack({ isVerified: true });
  const { json } = await update(client, { idToken, email: EMAIL });
  await update(client, { idToken: json['idToken'], email: VICTIM });
  const oobCode = await requireCode(client, 'RECOVER_EMAIL');
  await reset(client, VICTIM);
  expect((await update(client, { oobCode })).json).toMatchObject({ email: EMAIL });
});

async function useUpWrongCodes(client: AuthClient, enrollmentId: string, wrong: string): Promise<void> {
  for (let i = 0; i < 4; i += 1) {
    const pending = await pendingOf(client);
    for (let j = 0; j < 5; j += 1)
      expect((await finish(client, pending, enrollmentId, wrong)).error).toBe('INVALID_CODE');
  }
}

test('[I545] a password reset does not clear the count of wrong codes, but a revocation by an administrator does', async () => {
  const client = await AuthClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  await useUpWrongCodes(client, enrollmentId, app.wrongCode());
  await reset(client, EMAIL, ANN.password);
  const pending = await pendingOf(client);
  expect((await finish(client, pending, enrollmentId, app.code())).error).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  await change(client, uid, { validSince: nowSec(client) });
  expect((await finish(client, await pendingOf(client), enrollmentId, app.code())).status).toBe(200);
});

test('[I545] a password reset clears the count of uncompleted sign-ins', async () => {
  const client = await AuthClient.open();
  const { app, enrollmentId } = await openAnn(client);
  for (let i = 0; i < 10; i += 1) await pendingOf(client);
  await reset(client, EMAIL, ANN.password);
  expect((await finish(client, await pendingOf(client), enrollmentId, app.code())).status).toBe(200);
});

test('[I545] deleting an account clears its counts of sign-in attempts', async () => {
  const client = await AuthClient.open();
  const { uid, app, enrollmentId } = await openAnn(client);
  await finish(client, await pendingOf(client), enrollmentId, app.wrongCode());
  await client.admin('/v1/projects/demo/accounts:delete', { localId: uid });
  const left = client.services.recordStore.read((view) =>
    view.records('accounts:demo').find(['challenges', uid]),
  );
  expect(left).toBeUndefined();
});

const withdraw = (client: AuthClient, idToken: unknown, mfaEnrollmentId: string) =>
  client.post('/v2/accounts/mfaEnrollment:withdraw', { idToken, mfaEnrollmentId });

test('[I546] a session without a second factor cannot remove one', async () => {
  const client = await AuthClient.open();
  const { uid, enrollmentId } = await openAnn(client);
  const { json } = await client.post('accounts:signInWithCustomToken', { token: JSON.stringify({ uid }) });
  expect((await withdraw(client, json['idToken'], enrollmentId)).error).toMatch(
    /^CREDENTIAL_TOO_OLD_LOGIN_AGAIN/,
  );
});

test('[I546] a session without a second factor can remove one that was enrolled after its sign-in', async () => {
  const client = await AuthClient.open();
  const { enrollmentId, earlier } = await openAnn(client);
  expect((await withdraw(client, earlier.idToken, enrollmentId)).status).toBe(200);
});

test('[I546] a session that began with a recovery code can remove the second factor', async () => {
  const client = await AuthClient.open();
  const { idToken, enrollmentId } = await openAnn(client);
  const { json } = await client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
  const [code] = json['recoveryCodes'] as readonly string[];
  const signedIn = await finish(client, await pendingOf(client), enrollmentId, code ?? '');
  expect((await withdraw(client, signedIn.json['idToken'], enrollmentId)).status).toBe(200);
});

test('[I547] a change keeps the claims of its own session, even if others began in the same second', async () => {
  const client = await AuthClient.open();
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
