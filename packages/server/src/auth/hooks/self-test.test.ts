import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { DENIAL, type Json, openFunctions, type Reply, register } from './functions.fixture.ts';

const OWNER = { authorization: 'Bearer owner' };

async function open(event: string, answer: (claims: Json) => Reply | Promise<Reply>) {
  const client = await AuthClient.open();
  const functions = await openFunctions(answer);
  await register(client, { [event]: { functionUri: functions.uri } });
  const run = (name = event, headers: object = OWNER) =>
    client.request('POST', `/v2/projects/demo/blockingFunctions/${name}:test`, '{}', { ...headers });
  return { client, run, ...functions };
}

test.each([
  ['beforeCreate', { sub: 'hearth-test', user_record: { email: 'test@hearth.invalid' } }],
  ['beforeSignIn', { sub: 'hearth-test', sign_in_method: 'password' }],
  ['beforeSendEmail', { email: 'test@hearth.invalid', email_type: 'PASSWORD_RESET' }],
  ['beforeSendSms', { phone_number: '+12025550100', sms_type: 'SIGN_IN_OR_SIGN_UP' }],
])('[I1690] a test asks the function of %s about a user who does not exist', async (event, claims) => {
  const { client, run, events } = await open(event, () => [200, {}]);
  const { status, json } = await run();
  expect([status, json]).toEqual([
    200,
    { outcome: 'allowed', message: null, durationMs: expect.any(Number) },
  ]);
  expect(events).toMatchObject([{ event_type: event, ...claims }]);
  const accounts = await client.request('GET', '/v1/projects/demo/accounts:batchGet', undefined, OWNER);
  expect(accounts.json['users']).toBeUndefined();
});

test.each<[string, Reply, string, string]>([
  ['its decision', [403, DENIAL], 'rejected', 'Not from here.'],
  ['a status without a reason', [403, 'no'], 'rejected', 'The function answered with status 403.'],
  ['its crash', [500, { error: { status: 'INTERNAL', message: 'boom' } }], 'failed', '500. It says: boom'],
  ['another page', [200, '<html>'], 'failed', 'something else than a JSON object.'],
  ['a redirect', [302, ''], 'failed', 'The function answered with status 302.'],
  [
    'changes that are not valid',
    [200, { userRecord: { customClaims: { sub: 'x' }, updateMask: 'customClaims' } }],
    'failed',
    'The answer of the function is not valid',
  ],
  ['a program', [200, { recaptchaActionOverride: 'BLOCK' }], 'rejected', 'blocked the client'],
])('[I1690] a test reports %s', async (_name, reply, outcome, message) => {
  const { run } = await open('beforeCreate', () => reply);
  const { status, json } = await run();
  expect([status, json['outcome']]).toEqual([200, outcome]);
  expect(json['message']).toContain(message);
});

test.each<Reply>([
  [200, 'key=secret'],
  [200, '["secret"]'],
  [500, 'secret'],
  [500, { secret: 'secret', error: 'secret' }],
  [404, { secret: 'secret', error: { secret: 'secret' } }],
  [302, 'secret'],
])('[I1752] a test does not return the answer %j, which may be of an internal service', async (...reply) => {
  const { run } = await open('beforeCreate', () => reply);
  const { text } = await run();
  expect(text).toContain('The function answered with');
  expect(text).not.toContain('secret');
});

test('[I1690] a test says why a function cannot be reached, and does not count as a failure', async () => {
  const { client, run } = await open('beforeCreate', () => [500, '']);
  for (let count = 0; count < 25; count += 1) await run();
  const { error } = await client.post('accounts:signUp', { email: 'ann@example.com', password: 'secret1' });
  expect(error).toContain('HTTP error 500');
  await register(client, { beforeCreate: { functionUri: 'http://127.0.0.1:1/hook' } });
  const { json } = await run();
  expect(json).toMatchObject({ outcome: 'failed', message: expect.stringContaining('ECONNREFUSED') });
});

test('[I1690] only administrators may test functions, and only functions that the project has', async () => {
  const { run, events } = await open('beforeCreate', () => [200, {}]);
  expect((await run('beforeSignIn')).error).toMatch(/^CONFIGURATION_NOT_FOUND/);
  expect((await run('beforeNothing')).error).toMatch(/^CONFIGURATION_NOT_FOUND/);
  expect((await run('beforeCreate', {})).status).toBe(401);
  expect(events).toEqual([]);
});
