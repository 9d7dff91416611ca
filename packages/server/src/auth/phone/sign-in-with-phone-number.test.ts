import { expect, test } from 'vitest';
import { UNLIMITED_SMS } from '../../sms/budgets.ts';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import {
  listSmsCodes,
  NUMBER,
  OTHER_NUMBER,
  otherThan,
  requestSmsCode,
  signInByPhone,
  useSmsCode,
} from './phone.fixture.ts';

test('[I760] a number that no account has gets a new account, and later the same one', async () => {
  const client = await AuthClient.open();
  const first = await signInByPhone(client);
  expect(first.json).toMatchObject({ phoneNumber: NUMBER, isNewUser: true, expiresIn: '3600' });
  const { firebase, ...claims } = claimsOf(first.json['idToken']);
  expect(claims).toMatchObject({ phone_number: NUMBER, user_id: first.json['localId'] });
  expect(firebase).toMatchObject({ sign_in_provider: 'phone', identities: { phone: [NUMBER] } });
  expect((await client.lookup(first.json['idToken']))['providerUserInfo']).toEqual([
    { providerId: 'phone', rawId: NUMBER, phoneNumber: NUMBER },
  ]);
  const second = await signInByPhone(client, '+1 (650) 555-0101');
  expect(second.json).toMatchObject({ localId: first.json['localId'], isNewUser: false });
});

test.each<readonly [object, string]>([
  [{}, 'MISSING_SESSION_INFO'],
  [{ sessionInfo: 'x' }, 'MISSING_CODE'],
  [{ sessionInfo: 'x', code: '123456' }, 'INVALID_SESSION_INFO'],
  [{ phoneNumber: NUMBER }, 'MISSING_TEMPORARY_PROOF'],
  [{ temporaryProof: 'x' }, 'MISSING_PHONE_NUMBER'],
  [{ temporaryProof: 'x', phoneNumber: NUMBER }, 'INVALID_TEMPORARY_PROOF'],
])('[I761] a sign-in with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  expect((await useSmsCode(client, body)).error).toBe(error);
});

test.each([undefined, '', 'abc', '5550101', '+12'])(
  '[I761] no message is sent to %j',
  async (phoneNumber) => {
    const client = await AuthClient.open();
    const { error } = await client.post('accounts:sendVerificationCode', { phoneNumber });
    expect(error).toBe('INVALID_PHONE_NUMBER : Invalid format.');
  },
);

test('[I761] a code is valid once, however many clients send it at the same time', async () => {
  const client = await AuthClient.open();
  const code = await requestSmsCode(client);
  const answers = await Promise.all(Array.from({ length: 50 }, () => useSmsCode(client, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.flatMap(({ error }) => error ?? []))).toEqual(new Set(['INVALID_SESSION_INFO']));
  expect(await listSmsCodes(client)).toEqual([]);
});

test('[I761] a code is valid for ten minutes', async () => {
  const client = await AuthClient.open();
  const code = await requestSmsCode(client);
  client.clock.ms += 599_999;
  const late = await requestSmsCode(client, OTHER_NUMBER);
  client.clock.ms += 1;
  expect((await useSmsCode(client, code)).error).toBe('SESSION_EXPIRED');
  expect((await useSmsCode(client, late)).status).toBe(200);
});

test('[I762] two codes for a number are both valid, and share the count of wrong codes', async () => {
  const client = await AuthClient.open();
  const [first, second] = [await requestSmsCode(client), await requestSmsCode(client)];
  for (const { sessionInfo, code } of [first, second, first, second])
    expect((await useSmsCode(client, { sessionInfo, code: otherThan(code) })).error).toBe('INVALID_CODE');
  expect((await useSmsCode(client, second)).status).toBe(200);
  const wrong = { sessionInfo: first.sessionInfo, code: otherThan(first.code) };
  expect((await useSmsCode(client, wrong)).error).toBe('INVALID_CODE');
  expect((await useSmsCode(client, first)).error).toBe('SESSION_EXPIRED');
  expect((await useSmsCode(client, await requestSmsCode(client))).status).toBe(200);
});

test('[I762] of many wrong codes at the same time only five are checked', async () => {
  const client = await AuthClient.open();
  const { sessionInfo, code } = await requestSmsCode(client);
  const wrong = { sessionInfo, code: otherThan(code) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => useSmsCode(client, wrong)));
  expect(answers.filter(({ error }) => error === 'INVALID_CODE')).toHaveLength(5);
  expect(answers.filter(({ error }) => error === 'SESSION_EXPIRED')).toHaveLength(45);
  expect((await useSmsCode(client, { sessionInfo, code })).error).toBe('SESSION_EXPIRED');
});

test('[I762] ten wrong codes for a number in an hour block all its codes until the hour is over', async () => {
  const client = await AuthClient.open();
  for (let round = 0; round < 2; round++) {
    const { sessionInfo, code } = await requestSmsCode(client);
    for (let wrong = 0; wrong < 5; wrong++) await useSmsCode(client, { sessionInfo, code: otherThan(code) });
  }
  expect((await signInByPhone(client)).error).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect((await signInByPhone(client, OTHER_NUMBER)).status).toBe(200);
  client.clock.ms += 3_600_000;
  expect((await signInByPhone(client)).status).toBe(200);
});

test('[I763] an anonymous account keeps its ID and gets the number, and its earlier tokens end', async () => {
  const client = await AuthClient.open();
  const { json } = await client.post('accounts:signUp');
  const linked = await signInByPhone(client, NUMBER, { idToken: json['idToken'] });
  expect(linked.json).toMatchObject({ localId: json['localId'], isNewUser: false });
  expect((await client.post('accounts:lookup', { idToken: json['idToken'] })).error).toBe('TOKEN_EXPIRED');
  expect(await client.lookup(linked.json['idToken'])).toMatchObject({ phoneNumber: NUMBER });
});

test('[I763] a number is added to an account with an email address, which is notified', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const { json } = await signInByPhone(client, NUMBER, { idToken });
  expect(json).toMatchObject({ localId, phoneNumber: NUMBER });
  expect(listMails(client)).toMatchObject([{ to: 'ann@example.com', kind: 'phoneNumberChanged' }]);
  expect(client.audited.map(({ event }) => event)).toContain('phone_linked');
  expect((await signInByPhone(client)).json).toMatchObject({ localId });
});

test('[I763] a number is replaced only after a recent sign-in, which ends other sessions', async () => {
  const client = await AuthClient.open();
  const { idToken } = (await signInByPhone(client)).json;
  client.clock.ms += 301_000;
  const old = await signInByPhone(client, OTHER_NUMBER, { idToken });
  expect(old.error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
  const again = (await signInByPhone(client)).json;
  const changed = await signInByPhone(client, OTHER_NUMBER, { idToken: again['idToken'] });
  expect(await client.lookup(changed.json['idToken'])).toMatchObject({ phoneNumber: OTHER_NUMBER });
  expect((await client.refresh(again['refreshToken'])).status).toBe(400);
  expect((await signInByPhone(client)).json).toMatchObject({ isNewUser: true });
});

test('[I803] the former number gets a text message without a code, within the budgets', async () => {
  const client = await AuthClient.open();
  const { idToken } = (await signInByPhone(client)).json;
  await signInByPhone(client, OTHER_NUMBER, { idToken });
  const { outbox } = client.services.phones;
  const messages = outbox
    .listDue(client.clock.ms, undefined, 100)
    .flatMap(({ id }) => outbox.findOutgoing(id) ?? []);
  expect(messages.filter(({ kind }) => kind === 'PHONE_NUMBER_CHANGED')).toMatchObject([
    {
      to: NUMBER,
      code: '',
      text: 'Your demo account has a new phone number. If this was not you, contact support.',
    },
  ]);
  expect(await listSmsCodes(client)).toHaveLength(0);
});

test('[I803] a used-up budget, and a country that is not allowed, prevent the message and not the change', async () => {
  const smsLimits = { ...UNLIMITED_SMS, perNumberAndDay: 1 };
  const client = await AuthClient.open(unsignedTokenServices, { smsLimits });
  const { idToken } = (await signInByPhone(client)).json;
  const changed = await signInByPhone(client, OTHER_NUMBER, { idToken });
  expect(changed.json).toMatchObject({ phoneNumber: OTHER_NUMBER });
  const regions = { kind: 'only', countries: ['DE'] } as const;
  const third = '+16505550103';
  const { sessionInfo, code } = await requestSmsCode(client, third);
  await client.settings((settings) => ({ ...settings, sms: { ...settings.sms, regions } }));
  const { json } = await useSmsCode(client, { sessionInfo, code, idToken: changed.json['idToken'] });
  expect(json).toMatchObject({ phoneNumber: third });
  const { outbox } = client.services.phones;
  const due = outbox.listDue(client.clock.ms, undefined, 100);
  expect(due.map(({ id }) => outbox.findOutgoing(id)?.kind)).not.toContain('PHONE_NUMBER_CHANGED');
});

test('[I764] a number of another account is answered with a proof that signs in to that account once', async () => {
  const client = await AuthClient.open();
  const owner = (await signInByPhone(client)).json['localId'];
  const { idToken } = await client.signUp();
  const { json, status } = await signInByPhone(client, NUMBER, { idToken });
  expect(status).toBe(200);
  expect(json).toEqual({
    temporaryProof: expect.any(String),
    temporaryProofExpiresIn: '3600',
    phoneNumber: NUMBER,
  });
  const proof = { temporaryProof: json['temporaryProof'], phoneNumber: NUMBER };
  expect((await useSmsCode(client, { ...proof, phoneNumber: OTHER_NUMBER })).error).toBe(
    'INVALID_TEMPORARY_PROOF',
  );
  expect((await useSmsCode(client, { ...proof, idToken })).error).toBe('PHONE_NUMBER_EXISTS');
  expect((await useSmsCode(client, proof)).json).toMatchObject({ localId: owner, isNewUser: false });
  expect((await useSmsCode(client, proof)).error).toBe('INVALID_TEMPORARY_PROOF');
});

test('[I764] a proof is valid for an hour', async () => {
  const client = await AuthClient.open();
  await signInByPhone(client);
  const { idToken } = await client.signUp();
  const { json } = await signInByPhone(client, NUMBER, { idToken });
  client.clock.ms += 3_600_000;
  const proof = { temporaryProof: json['temporaryProof'], phoneNumber: NUMBER };
  expect((await useSmsCode(client, proof)).error).toBe('INVALID_TEMPORARY_PROOF');
});

test('[I765] signing in again never creates an account', async () => {
  const client = await AuthClient.open();
  expect((await signInByPhone(client, NUMBER, { operation: 'REAUTH' })).error).toBe('USER_NOT_FOUND');
  const { json } = await signInByPhone(client);
  expect((await signInByPhone(client, NUMBER, { operation: 'REAUTH' })).json).toMatchObject({
    localId: json['localId'],
  });
});

test('[I765] no account is created while users cannot sign up, and a disabled account is rejected', async () => {
  const client = await AuthClient.open();
  const { json } = await signInByPhone(client);
  await client.settings((settings) => ({ ...settings, isSignUpEnabled: false }));
  expect((await signInByPhone(client, OTHER_NUMBER)).error).toBe('ADMIN_ONLY_OPERATION');
  await client.admin('/v1/projects/demo/accounts:update', { localId: json['localId'], disableUser: true });
  expect((await signInByPhone(client)).error).toBe('USER_DISABLED');
});

test('[I765] both methods are rejected while the project does not offer phones', async () => {
  const client = await AuthClient.open();
  const code = await requestSmsCode(client);
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isPhoneEnabled: false },
  }));
  const { error } = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  expect([error, (await useSmsCode(client, code)).error]).toEqual([
    'OPERATION_NOT_ALLOWED',
    'OPERATION_NOT_ALLOWED',
  ]);
});

test('[I766] an account with a second factor neither signs in by phone nor gets a number', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  await client.admin('/v1/projects/demo/accounts:update', {
    localId,
    emailVerified: true,
    mfa: { enrollments: [{ phoneInfo: OTHER_NUMBER }] },
  });
  const error =
    'UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user.';
  expect((await signInByPhone(client, NUMBER, { idToken })).error).toBe(error);
  await client.admin('/v1/projects/demo/accounts:update', { localId, phoneNumber: NUMBER });
  expect((await signInByPhone(client)).error).toBe(error);
});

test('[I767] records of codes and proofs do not outlive their time for long', async () => {
  const client = await AuthClient.open();
  const count = () =>
    client.services.recordStore.read((view) =>
      ['phoneCodes', 'phoneGroups', 'phoneGuesses', 'phoneProofs', 'phoneUntil'].map(
        (kind) => view.records('accounts:demo').listKeys([kind], { limit: 100 }).length,
      ),
    );
  await signInByPhone(client);
  const { idToken } = await client.signUp();
  await signInByPhone(client, NUMBER, { idToken });
  for (const number of [OTHER_NUMBER, '+16505550103', '+16505550104']) {
    const { sessionInfo, code } = await requestSmsCode(client, number);
    await useSmsCode(client, { sessionInfo, code: otherThan(code) });
  }
  client.clock.ms += 4 * 3_600_000;
  for (let request = 0; request < 6; request++) await requestSmsCode(client);
  expect(count()).toEqual([6, 1, 0, 0, 7]);
});
