import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { openAnn } from '../mfa/second-factor.fixture.ts';
import { listCodes, listMails, requestCode, requireCode } from './mailed-codes.fixture.ts';

const EMAIL = 'ann@example.com';
const NEW_EMAIL = 'ann@else.example';
const HOUR_MS = 3_600_000;

const apply = (client: AuthClient, oobCode: unknown) => client.post('accounts:update', { oobCode });
const check = (client: AuthClient, oobCode: unknown) => client.post('accounts:resetPassword', { oobCode });

async function openWith(requestType: string, body: object = {}) {
  const client = await AuthClient.open();
  const ann = await client.signUp(EMAIL);
  const { idToken, localId } = ann;
  const code = await requestCode(client, requestType, { idToken, email: EMAIL, ...body });
  return { client, idToken, localId, code, refreshToken: ann['refreshToken'] };
}

test.each([
  ['PASSWORD_RESET', {}, {}],
  ['VERIFY_EMAIL', {}, {}],
  ['VERIFY_AND_CHANGE_EMAIL', { newEmail: NEW_EMAIL }, { newEmail: NEW_EMAIL }],
])(
  '[I335] a client can look up the purpose of a code of type %s without using it up',
  async (requestType, body, more) => {
    const { client, code } = await openWith(requestType, body);
    for (let i = 0; i < 2; i += 1) {
      const { json } = await check(client, code);
      expect(json).toEqual({
        kind: 'identitytoolkit#ResetPasswordResponse',
        requestType,
        email: EMAIL,
        ...more,
      });
    }
  },
);

test('[I335] the response does not contain the address of a code to sign in', async () => {
  const { client, code } = await openWith('EMAIL_SIGNIN');
  expect((await check(client, code)).json).toEqual({
    kind: 'identitytoolkit#ResetPasswordResponse',
    requestType: 'EMAIL_SIGNIN',
  });
});

test('[I336] only the hash of a code is stored', async () => {
  const { client, code } = await openWith('VERIFY_EMAIL');
  const kept = client.services.recordStore.read((view) => {
    const records = view.records('accounts:demo');
    return JSON.stringify(['codes', 'codesOf', 'codesUntil'].map((kind) => records.find([kind])));
  });
  expect(kept).toContain('VERIFY_EMAIL');
  expect(kept).not.toContain(code);
});

test('[I337] an unknown code and a used code are rejected', async () => {
  const { client, code } = await openWith('VERIFY_EMAIL');
  expect((await apply(client, 'nonsense')).error).toBe('INVALID_OOB_CODE');
  expect((await apply(client, '')).error).toBe('INVALID_OOB_CODE');
  expect((await apply(client, code)).status).toBe(200);
  expect((await apply(client, code)).error).toBe('INVALID_OOB_CODE');
  expect((await check(client, code)).error).toBe('INVALID_OOB_CODE');
});

test.each([
  ['PASSWORD_RESET', 1],
  ['EMAIL_SIGNIN', 6],
  ['VERIFY_EMAIL', 72],
  ['VERIFY_AND_CHANGE_EMAIL', 72],
])('[I337] a code of type %s works for %d h', async (requestType, hours) => {
  const { client, code } = await openWith(requestType, { newEmail: NEW_EMAIL });
  client.clock.ms += hours * HOUR_MS - 1;
  expect((await check(client, code)).status).toBe(200);
  client.clock.ms += 1;
  expect((await check(client, code)).error).toBe('EXPIRED_OOB_CODE');
  const error = requestType === 'EMAIL_SIGNIN' ? undefined : (await apply(client, code)).error;
  expect(error ?? 'EXPIRED_OOB_CODE').toBe('EXPIRED_OOB_CODE');
});

test('[I338] a new code voids the previous one of the same type for the same account', async () => {
  const { client, code, idToken } = await openWith('VERIFY_EMAIL');
  const other = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  const next = await requestCode(client, 'VERIFY_EMAIL', { idToken });
  expect((await check(client, code)).error).toBe('INVALID_OOB_CODE');
  expect((await check(client, other)).status).toBe(200);
  expect((await check(client, next)).status).toBe(200);
});

test('[I339] of many concurrent uses of a code, exactly one succeeds', async () => {
  const { client, code } = await openWith('VERIFY_EMAIL');
  const answers = await Promise.all(Array.from({ length: 100 }, () => apply(client, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ error }) => error === 'INVALID_OOB_CODE')).toHaveLength(99);
});

test('[I340] a code verifies the address of its account', async () => {
  const { client, code, idToken, localId } = await openWith('VERIFY_EMAIL');
  const { json } = await apply(client, code);
  expect(json).toMatchObject({
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId,
    email: EMAIL,
    emailVerified: true,
  });
  expect(await client.lookup(idToken)).toMatchObject({ emailVerified: true });
});

test('[I340] a code does not verify an address that the account no longer has, or that of a disabled account', async () => {
  const { client, code, localId } = await openWith('VERIFY_EMAIL');
  await client.admin('accounts:update', { localId, disableUser: true });
  expect((await apply(client, code)).error).toBe('USER_DISABLED');
  await client.admin('accounts:update', { localId, disableUser: false, email: NEW_EMAIL });
  expect((await apply(client, code)).error).toBe('INVALID_OOB_CODE');
});

test('[I341] a code sets the new address as verified and ends all sessions, and the old address gets a mail', async () => {
  const { client, code, idToken, localId, refreshToken } = await openWith('VERIFY_AND_CHANGE_EMAIL', {
    newEmail: NEW_EMAIL,
  });
  client.clock.ms += 2_000;
  const { json } = await apply(client, code);
  expect(json).toMatchObject({ localId, email: NEW_EMAIL, newEmail: NEW_EMAIL, emailVerified: true });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  const refreshed = await client.refresh(refreshToken);
  expect(refreshed.error).toBe('TOKEN_EXPIRED');
  expect(listMails(client).at(-1)).toMatchObject({ to: EMAIL, kind: 'recoverEmail' });
  const { json: again } = await client.post('accounts:signInWithPassword', {
    email: NEW_EMAIL,
    password: 'password',
  });
  expect(again['localId']).toBe(localId);
});

test('[I341] a code for a new address that another account has is rejected and used up', async () => {
  const { client, code, idToken } = await openWith('VERIFY_AND_CHANGE_EMAIL', { newEmail: NEW_EMAIL });
  const { localId } = await client.signUp(NEW_EMAIL);
  expect((await apply(client, code)).error).toBe('EMAIL_EXISTS');
  await client.admin('accounts:delete', { localId });
  expect((await apply(client, code)).error).toBe('INVALID_OOB_CODE');
  expect(await client.lookup(idToken)).toMatchObject({ email: EMAIL });
});

test('[I342] a new password cancels a pending change of address', async () => {
  const { client, code, idToken } = await openWith('VERIFY_AND_CHANGE_EMAIL', { newEmail: NEW_EMAIL });
  client.clock.ms += 2_000;
  await client.post('accounts:update', { idToken, password: 'another password' });
  expect((await apply(client, code)).error).toBe('INVALID_OOB_CODE');
});

test('[I342] a password reset cancels a pending change of address, also within the same second', async () => {
  const { client, code } = await openWith('VERIFY_AND_CHANGE_EMAIL', { newEmail: NEW_EMAIL });
  const oobCode = await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  await client.post('accounts:resetPassword', { oobCode, newPassword: 'another password' });
  expect((await apply(client, code)).error).toBe('INVALID_OOB_CODE');
});

async function openChanged() {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp(EMAIL);
  client.clock.ms += 2_000;
  const { json } = await client.post('accounts:update', { idToken, email: 'thief@example.com' });
  return { client, localId, thiefToken: json['idToken'], code: await requireCode(client, 'RECOVER_EMAIL') };
}

test('[I343] the owner of the previous address recovers the account with the code in the mail about the change', async () => {
  const { client, localId, thiefToken, code } = await openChanged();
  expect(listMails(client).at(-1)).toMatchObject({ to: EMAIL, kind: 'recoverEmail' });
  expect((await check(client, code)).json).toMatchObject({
    requestType: 'RECOVER_EMAIL',
    email: EMAIL,
    newEmail: 'thief@example.com',
  });
  client.clock.ms += 29 * 24 * HOUR_MS;
  const { json } = await apply(client, code);
  expect(json).toMatchObject({ localId, email: EMAIL, emailVerified: true });
  expect((await client.post('accounts:lookup', { idToken: thiefToken })).error).toBe('TOKEN_EXPIRED');
});

test('[I343] recovery is rejected while another account has the previous address, and possible afterwards', async () => {
  const { client, code } = await openChanged();
  const { localId } = await client.signUp(EMAIL);
  expect((await apply(client, code)).error).toBe('EMAIL_EXISTS');
  await client.admin('accounts:delete', { localId });
  expect((await apply(client, code)).status).toBe(200);
});

test('[I344] recovery works after further changes, and voids later codes and the password', async () => {
  const { client, thiefToken, code } = await openChanged();
  client.clock.ms += 2_000;
  const { json } = await client.post('accounts:update', {
    idToken: thiefToken,
    email: 'thief2@example.com',
    password: 'stolen password',
  });
  const later = await requireCode(client, 'RECOVER_EMAIL');
  const reset = await requestCode(client, 'PASSWORD_RESET', { email: 'thief2@example.com' });
  const change = await requestCode(client, 'VERIFY_AND_CHANGE_EMAIL', {
    idToken: json['idToken'],
    newEmail: 'thief3@example.com',
  });
  client.clock.ms += 2_000;
  expect((await apply(client, code)).status).toBe(200);
  for (const oobCode of [later, reset, change])
    expect((await check(client, oobCode)).error).toBe('INVALID_OOB_CODE');
  const signIn = { email: EMAIL, password: 'stolen password' };
  expect((await client.post('accounts:signInWithPassword', signIn)).error).toBe('INVALID_PASSWORD');
});

test('[I355] the user gets a mail about a new second factor, and the code in the mail removes the factor and ends all sessions', async () => {
  const client = await AuthClient.open();
  const { idToken, refreshToken, earlier, enrollmentId } = await openAnn(client);
  client.clock.ms += 1_000;
  expect(listMails(client)).toEqual([expect.objectContaining({ to: EMAIL, kind: 'secondFactorAdded' })]);
  const oobCode = await requireCode(client, 'REVERT_SECOND_FACTOR_ADDITION');
  expect((await check(client, oobCode)).json).toMatchObject({
    requestType: 'REVERT_SECOND_FACTOR_ADDITION',
    email: EMAIL,
    mfaInfo: { mfaEnrollmentId: enrollmentId, totpInfo: {} },
  });
  expect((await apply(client, oobCode)).status).toBe(200);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  for (const token of [refreshToken, earlier.refreshToken])
    expect((await client.refresh(token)).error).toBe('TOKEN_EXPIRED');
  const { json } = await client.post('accounts:signInWithPassword', { email: EMAIL, password: 'password' });
  expect(json).toMatchObject({ idToken: expect.any(String) });
});

test('[I355] the code is void if the factor was already removed', async () => {
  const client = await AuthClient.open();
  const { uid } = await openAnn(client);
  const oobCode = await requireCode(client, 'REVERT_SECOND_FACTOR_ADDITION');
  await client.admin('accounts:update', { localId: uid, mfa: {} });
  expect((await apply(client, oobCode)).error).toBe('INVALID_OOB_CODE');
});

test('[I344] recovery works after the address was changed back and forth', async () => {
  const { client, thiefToken } = await openChanged();
  let idToken = thiefToken;
  const changeTo = async (email: string): Promise<string> => {
    client.clock.ms += 2_000;
    const { json } = await client.post('accounts:update', { idToken, email });
    idToken = json['idToken'];
    return requireCode(client, 'RECOVER_EMAIL');
  };
  const ofThief = await changeTo(EMAIL);
  const ofAnn = await changeTo('thief@example.com');
  expect((await apply(client, ofAnn)).json).toMatchObject({ email: EMAIL });
  expect((await check(client, ofThief)).error).toBe('INVALID_OOB_CODE');
});

test('[I345] a code to reset a password or to sign in cannot be applied with accounts:update, and stays valid', async () => {
  const { client, code } = await openWith('PASSWORD_RESET');
  const signIn = await requestCode(client, 'EMAIL_SIGNIN', { email: EMAIL });
  for (const oobCode of [code, signIn]) {
    expect((await apply(client, oobCode)).error).toBe('INVALID_OOB_CODE');
    expect((await check(client, oobCode)).status).toBe(200);
  }
});

test('[I345] a code works only in its own project', async () => {
  const { client, code } = await openWith('VERIFY_EMAIL');
  const answer = await client.admin('accounts:update', { oobCode: code, targetProjectId: 'other' });
  expect(answer.error).toBe('INVALID_OOB_CODE');
});

test('[I346] the codes of an account are deleted with the account', async () => {
  const { client, code, localId } = await openWith('VERIFY_EMAIL');
  await client.admin('accounts:delete', { localId });
  expect((await check(client, code)).error).toBe('INVALID_OOB_CODE');
  expect(await listCodes(client)).toEqual([]);
});

test('[I374] the emulator API lists unused codes with their links', async () => {
  const { client, code } = await openWith('VERIFY_AND_CHANGE_EMAIL', { newEmail: NEW_EMAIL });
  await requestCode(client, 'PASSWORD_RESET', { email: EMAIL });
  expect(await listCodes(client)).toEqual([
    {
      email: EMAIL,
      requestType: 'VERIFY_AND_CHANGE_EMAIL',
      oobCode: code,
      oobLink: expect.stringContaining(code),
      newEmail: NEW_EMAIL,
    },
    expect.objectContaining({ requestType: 'PASSWORD_RESET' }),
  ]);
  await apply(client, code);
  const left = (await listCodes(client)).map(({ requestType }) => requestType);
  expect(left).toEqual(['PASSWORD_RESET', 'RECOVER_EMAIL']);
  expect((await client.request('GET', '/emulator/v1/projects/other/oobCodes')).json).toEqual({
    oobCodes: [],
  });
});

test('[I362] the use of a code is recorded in the audit log', async () => {
  const { client, code, localId } = await openWith('VERIFY_EMAIL');
  await apply(client, code);
  expect(client.audited).toContainEqual(
    expect.objectContaining({ event: 'code_used', uid: localId, detail: 'VERIFY_EMAIL', result: 'ok' }),
  );
});
