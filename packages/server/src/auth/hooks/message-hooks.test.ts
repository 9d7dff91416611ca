import { describe, expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { listCodes, listMails } from '../codes/mailed-codes.fixture.ts';
import { ANN, openVerified } from '../mfa/second-factor.fixture.ts';
import { listSmsCodes, NUMBER } from '../phone/phone.fixture.ts';
import { consoleKeyOf } from '../projects/projects.ts';
import { GOOGLE_ANN, signInWithIdToken } from '../providers/idp.fixture.ts';
import { DENIAL, type Json, openFunctions, type Reply, register } from './functions.fixture.ts';

const OF_MAIL = 'beforeSendEmail';
const OF_SMS = 'beforeSendSms';

async function open(answer: (claims: Json) => Reply, trigger: Json = {}) {
  const client = await AuthClient.open();
  const functions = await openFunctions(answer);
  const one = { functionUri: functions.uri, ...trigger };
  await register(client, { [OF_MAIL]: one, [OF_SMS]: one });
  return { client, ...functions };
}

const requestReset = (client: AuthClient, email: string = ANN.email) =>
  client.post('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });

const messagesBlocked = (client: AuthClient) =>
  client.audited.filter(({ event }) => event === 'message_blocked');

test('[I950] the function for emails is asked before codes that any client may request, with or without an account', async () => {
  const { client, events } = await open(() => [200, {}]);
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  const { idToken } = await client.signUp();
  await requestReset(client);
  await requestReset(client, 'nobody@example.com');
  const continueUrl = 'http://localhost/';
  await client.post('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email: ANN.email, continueUrl });
  await client.post('accounts:sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
  await client.admin('/v1/projects/demo/accounts:sendOobCode', {
    requestType: 'PASSWORD_RESET',
    email: ANN.email,
  });
  const asked = { event_type: OF_MAIL, iss: 'https://securetoken.google.com/demo' };
  expect(events).toMatchObject([
    { ...asked, email: ANN.email, email_type: 'PASSWORD_RESET' },
    { ...asked, email: 'nobody@example.com', email_type: 'PASSWORD_RESET' },
    { ...asked, email: ANN.email, email_type: 'EMAIL_SIGN_IN' },
  ]);
  for (const claim of ['sub', 'user_record'])
    expect(events.every((event) => event[claim] === undefined)).toBe(true);
  expect(await listCodes(client)).toHaveLength(3);
});

test('[I950] the function for text messages is asked before each of them, for any purpose', async () => {
  const { client, events } = await open(() => [200, {}]);
  await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  const { idToken } = await openVerified(client);
  await client.post('/v2/accounts/mfaEnrollment:start', {
    idToken,
    phoneEnrollmentInfo: { phoneNumber: NUMBER },
  });
  expect(events.filter(({ event_type }) => event_type === OF_SMS)).toMatchObject([
    { phone_number: NUMBER, sms_type: 'SIGN_IN_OR_SIGN_UP' },
    { phone_number: NUMBER, sms_type: 'MULTI_FACTOR_ENROLLMENT' },
  ]);
  expect(await listSmsCodes(client)).toHaveLength(2);
});

test('[I951] a function that rejects a message prevents it, and the audit log has an entry', async () => {
  const { client } = await open(() => [403, DENIAL], { failOpen: true });
  await client.signUp();
  const sms = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  const mail = await requestReset(client);
  for (const { status, error } of [sms, mail]) {
    expect(status).toBe(400);
    expect(error).toMatch(/^BLOCKING_FUNCTION_ERROR_RESPONSE : .*Not from here/);
  }
  expect([...(await listSmsCodes(client)), ...(await listCodes(client))]).toEqual([]);
  expect(messagesBlocked(client)).toMatchObject([
    { result: 'BLOCKING_FUNCTION_ERROR_RESPONSE', detail: OF_SMS },
    { result: 'BLOCKING_FUNCTION_ERROR_RESPONSE', detail: OF_MAIL },
  ]);
});

describe('[I951] a function that fails', () => {
  const fails = (): Reply => [500, 'not JSON'];

  test('prevents the message', async () => {
    const { client } = await open(fails);
    const { error } = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
    expect(error).toMatch(/^BLOCKING_FUNCTION_ERROR_RESPONSE/);
    expect(await listSmsCodes(client)).toEqual([]);
  });

  test('prevents no message of a trigger with failOpen', async () => {
    const { client } = await open(fails, { failOpen: true });
    expect((await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER })).status).toBe(200);
    expect(await listSmsCodes(client)).toHaveLength(1);
    expect(messagesBlocked(client)).toMatchObject([{ result: 'sent', detail: OF_SMS }]);
  });
});

test('[I943] a function that fails only for emails still decides about sign-ins', async () => {
  const client = await AuthClient.open();
  const { uri, events } = await openFunctions(({ event_type }) =>
    event_type === OF_MAIL ? [500, 'not JSON'] : [200, {}],
  );
  await register(client, { [OF_MAIL]: { functionUri: uri }, beforeSignIn: { functionUri: uri } });
  await client.signUp();
  const before = events.length;
  for (let count = 0; count < 21; count += 1) {
    client.clock.ms += 1_000;
    await requestReset(client, `user${count}@example.com`);
  }
  expect(events).toHaveLength(before + 20);
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(200);
});

test.each([
  { beforeSendSms: { functionUri: 'https://x.example', failOpen: 'yes' } },
  { beforeSignIn: { functionUri: 'https://x.example', failOpen: true } },
])('[I951] %j is rejected: failOpen is true or false, and only for messages', async (triggers) => {
  const client = await AuthClient.open();
  const { error } = await client.request(
    'PATCH',
    '/v2/projects/demo/config?updateMask=blockingFunctions.triggers',
    JSON.stringify({ blockingFunctions: { triggers } }),
    { authorization: 'Bearer owner' },
  );
  expect(error).toMatch(/^INVALID_BLOCKING_FUNCTION : .*failOpen/);
});

test('[I952] the function gets the profile of another provider, and its tokens only if the project forwards them', async () => {
  const client = await AuthClient.open();
  const signInWith = async (forwarded: Json) => {
    const { uri, events } = await openFunctions(() => [200, {}]);
    await register(client, { beforeSignIn: { functionUri: uri } }, forwarded);
    await signInWithIdToken(client, GOOGLE_ANN);
    return events;
  };
  const [quiet] = await signInWith({ accessToken: true });
  expect(JSON.parse(String(quiet?.['raw_user_info']))).toMatchObject({ id: '100', name: 'Ann' });
  expect(quiet).not.toHaveProperty('oauth_id_token');
  expect(await signInWith({ idToken: true })).toMatchObject([
    { sign_in_method: 'google.com', oauth_id_token: JSON.stringify(GOOGLE_ANN) },
  ]);
});

test('[I953] a function blocks a client with recaptchaActionOverride', async () => {
  const { client, uri } = await open(() => [200, { recaptchaActionOverride: 'BLOCK' }]);
  const { error } = await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  expect(error).toMatch(/^CAPTCHA_CHECK_FAILED/);
  await register(client, { beforeCreate: { functionUri: uri } });
  expect((await client.post('accounts:signUp', ANN)).error).toMatch(/^CAPTCHA_CHECK_FAILED/);
  expect(messagesBlocked(client)).toMatchObject([{ result: 'CAPTCHA_CHECK_FAILED', detail: OF_SMS }]);
});

test('[I956] a password reset in the console sends a mail to members whatever the function answers, and the response is the same for every address', async () => {
  const { client } = await open(() => [403, DENIAL]);
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  const { localId } = await client.signUp();
  await client.signUp('eve@example.com');
  await client.services.recordStore.change((transaction) =>
    transaction
      .records(INSTALLATION)
      .write(['members', 'demo', String(localId)], { role: 'owner', addedAtMs: 0 }),
  );
  const reset = (email: string) =>
    client.request(
      'POST',
      `/v1/accounts:sendOobCode?key=${consoleKeyOf('demo')}`,
      JSON.stringify({ requestType: 'PASSWORD_RESET', email }),
    );
  const answers = await Promise.all(['ann', 'eve', 'nobody'].map((name) => reset(`${name}@example.com`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(listMails(client).map(({ to }) => to)).toEqual([ANN.email]);
});
