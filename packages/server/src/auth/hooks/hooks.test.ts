import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isPublicAddress } from '../../platform/network/public-address.ts';
import { TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { requireCode } from '../codes/mailed-codes.fixture.ts';
import { AuthOverload } from '../errors.ts';
import { ANN, finish, openAnn, pendingOf } from '../mfa/second-factor.fixture.ts';
import { DENIAL, type Json, openFunctions, type Reply, register } from './functions.fixture.ts';
import { HookCaller } from './hook-caller.ts';

async function open(events: readonly string[], answer: (claims: Json) => Reply | Promise<Reply>) {
  const client = await AuthClient.open();
  const functions = await openFunctions(answer);
  await register(client, Object.fromEntries(events.map((event) => [event, { functionUri: functions.uri }])));
  return { client, ...functions };
}

const change = (userRecord: Json): Reply => [
  200,
  { userRecord: { ...userRecord, updateMask: Object.keys(userRecord).join(',') } },
];

test('[I940] functions get the event with the account, and can change the account and the tokens', async () => {
  const { client, events } = await open(['beforeCreate', 'beforeSignIn'], ({ event_type }) =>
    event_type === 'beforeCreate'
      ? change({ displayName: 'Ann', customClaims: { plan: 'free' }, emailVerified: true })
      : change({ sessionClaims: { fresh: true }, customClaims: { plan: 'paid' } }),
  );
  const { json } = await client.post('accounts:signUp', ANN);
  expect(events).toMatchObject([
    {
      iss: 'https://securetoken.google.com/demo',
      sub: json['localId'],
      event_type: 'beforeCreate',
      sign_in_method: 'password',
      user_record: { uid: json['localId'], email: ANN.email, email_verified: false, disabled: false },
    },
    { event_type: 'beforeSignIn', user_record: { display_name: 'Ann', custom_claims: { plan: 'free' } } },
  ]);
  expect(claimsOf(json['idToken'])).toMatchObject({
    name: 'Ann',
    plan: 'paid',
    fresh: true,
    email_verified: true,
  });
  const { json: again } = await client.post('accounts:signInWithPassword', ANN);
  expect(events.map(({ event_type }) => event_type)).toEqual([
    'beforeCreate',
    'beforeSignIn',
    'beforeSignIn',
  ]);
  expect(claimsOf(again['idToken'])).toMatchObject({ plan: 'paid' });
});

test('[I941] if a function rejects the event, no account is created, and the error contains the response of the function', async () => {
  const { client, uri } = await open(['beforeCreate'], () => [403, DENIAL]);
  const { error } = await client.post('accounts:signUp', ANN);
  expect(error).toBe(
    `BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request to ${uri} returned HTTP error 403: ${JSON.stringify(DENIAL)}))`,
  );
  expect(
    (await client.admin('/v1/projects/demo/accounts:lookup', { email: ANN.email })).json,
  ).not.toHaveProperty('users');
  expect(client.audited.at(-1)).toMatchObject({
    event: 'sign_up',
    result: 'BLOCKING_FUNCTION_ERROR_RESPONSE',
  });
});

const CAUSE = { projectId: 'demo', event: 'beforeSignIn', network: '192.0.2.1' } as const;

test('[I941] outside development mode the error names no address, and every failure rejects the event', async () => {
  const replies: Record<string, Reply> = {
    denial: [403, DENIAL],
    text: [200, 'not JSON'],
    failure: [500, 'Error at /srv/secret.js'],
    redirect: [302, {}],
  };
  const seen: Record<string, string> = {};
  for (const [name, reply] of Object.entries(replies)) {
    const { uri } = await openFunctions(() => reply);
    const caller = new HookCaller({
      clock: (await AuthClient.open()).services.clock,
      mayReach: undefined,
      isDevelopment: false,
    });
    const hook = { uri, audience: null, updatedAtMs: 0 };
    await caller.call(CAUSE, hook, 'a.e30.').catch((error: Error) => {
      seen[name] = error.message;
    });
  }
  const prefix = 'BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: ';
  const failed = `${prefix}{"error":{"status":"INTERNAL","message":"The function failed."}}`;
  expect(seen).toEqual({
    denial: `${prefix}${JSON.stringify(DENIAL)}`,
    text: failed,
    failure: failed,
    redirect: failed,
  });
});

test('[I942] a function is not called at an address that is not public', async () => {
  const { uri, events } = await openFunctions(() => [200, {}]);
  const { services } = await AuthClient.open();
  const caller = new HookCaller({ clock: services.clock, mayReach: isPublicAddress, isDevelopment: false });
  for (const address of [uri, uri.replace('127.0.0.1', 'localhost')])
    await expect(
      caller.call(CAUSE, { uri: address, audience: null, updatedAtMs: 0 }, 'a.e30.'),
    ).rejects.toThrow('BLOCKING_FUNCTION_ERROR_RESPONSE');
  expect(events).toEqual([]);
});

test('[I1570] one network causes at most 25 requests to functions; at the limit of the project, a new request ends the oldest one of the network with the most', async () => {
  const answers: (() => void)[] = [];
  const server = createServer((_request, response) => void answers.push(() => response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const clock = new TestClock();
  const caller = new HookCaller({ clock, mayReach: undefined, isDevelopment: false });
  const hook = { uri: `http://127.0.0.1:${port}/`, audience: null, updatedAtMs: 0 };
  const call = (network: string) => caller.call({ ...CAUSE, network }, hook, 'a.e30.');
  const slow = Array.from({ length: 100 }, (_, index) => call(`192.0.2.${index % 4}`));
  await expect(call('192.0.2.0')).rejects.toBeInstanceOf(AuthOverload);
  const newcomer = call('198.51.100.1');
  // The oldest request of the network with the most requests was evicted.
  await expect(Promise.race(slow)).rejects.toBeInstanceOf(AuthOverload);
  // Functions for messages have a separate limit.
  const message = caller.call({ ...CAUSE, event: 'beforeSendSms' }, hook, 'a.e30.');
  await vi.waitUntil(() => answers.length >= 101, { timeout: 120_000 });
  for (const answer of answers) answer();
  expect([await newcomer, await message]).toEqual([{}, {}]);
  const ended = await Promise.allSettled(slow);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('[I943] a function that failed 20 times in a minute is not called for a minute', async () => {
  const { client, events } = await open(['beforeSignIn'], () => [500, {}]);
  await register(client, {});
  await client.signUp();
  const broken = await openFunctions(() => [500, {}]);
  await register(client, { beforeSignIn: { functionUri: broken.uri } });
  for (let count = 0; count < 22; count += 1)
    expect((await client.post('accounts:signInWithPassword', ANN)).error).toMatch(/^BLOCKING_FUNCTION/);
  expect(broken.events).toHaveLength(20);
  client.clock.ms += 60_000;
  await client.post('accounts:signInWithPassword', ANN);
  expect(broken.events).toHaveLength(21);
  expect(events).toEqual([]);
});

test('[I944] if a function disables a new account, the account is stored, but no session starts', async () => {
  const { client } = await open(['beforeCreate'], () => change({ disabled: true }));
  expect((await client.post('accounts:signUp', ANN)).error).toBe('USER_DISABLED');
  const { json } = await client.admin('/v1/projects/demo/accounts:lookup', { email: ANN.email });
  expect(json['users']).toMatchObject([{ disabled: true }]);
});

test.each([
  { customClaims: { sub: 'other' } },
  { customClaims: { long: 'x'.repeat(1_000) } },
  { sessionClaims: 'text' },
  { photoURL: 'javascript:alert(1)' },
  { displayName: 'x'.repeat(257) },
])('[I945] an answer with %j is rejected', async (userRecord) => {
  const { client } = await open(['beforeSignIn'], () => change(userRecord));
  expect((await client.post('accounts:signUp', ANN)).error).toMatch(/^BLOCKING_FUNCTION_ERROR_RESPONSE/);
});

test('[I945] members of the answer that its mask does not name have no effect', async () => {
  const { client } = await open(['beforeCreate'], () => [
    200,
    { userRecord: { displayName: 'Eve', disabled: true, updateMask: '' } },
  ]);
  expect(claimsOf((await client.post('accounts:signUp', ANN)).json['idToken'])).not.toHaveProperty('name');
});

test('[I946] functions are not called for anonymous users, custom tokens, accounts that administrators create, and members', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const { uri, events } = await openFunctions(() => [403, DENIAL]);
  await register(client, { beforeCreate: { functionUri: uri }, beforeSignIn: { functionUri: uri } });
  expect((await client.post('accounts:signUp')).status).toBe(200);
  expect((await client.post('accounts:signInWithCustomToken', { token: '{"uid":"bob"}' })).status).toBe(200);
  expect((await client.admin('/v1/projects/demo/accounts', { email: 'eve@example.com' })).status).toBe(200);
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(400);
  await client.services.recordStore.change((transaction) =>
    transaction
      .records(INSTALLATION)
      .write(['members', 'demo', String(localId)], { role: 'owner', addedAtMs: 0 }),
  );
  expect((await client.post('accounts:signInWithPassword', ANN)).status).toBe(200);
  expect(events).toHaveLength(1);
});

test('[I947] the function is called after the second factor, and of concurrent sign-ins with the same code only one succeeds', async () => {
  const client = await AuthClient.open();
  const ann = await openAnn(client);
  const { uri, events } = await openFunctions(() => change({ sessionClaims: { asked: true } }));
  await register(client, { beforeSignIn: { functionUri: uri } });
  const pending = await pendingOf(client);
  expect(events).toEqual([]);
  const code = ann.app.code();
  const answers = await Promise.all([1, 2, 3].map(() => finish(client, pending, ann.enrollmentId, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(claimsOf(answers.find(({ status }) => status === 200)?.json['idToken'])).toMatchObject({
    asked: true,
  });
  expect(events[0]).toMatchObject({ sign_in_second_factor: 'totp' });
});

test('[I947] a rejected sign-in does not use up the code of a mail', async () => {
  const answers: Reply[] = [[403, DENIAL]];
  const { client, events } = await open(['beforeCreate'], () => answers.shift() ?? [200, {}]);
  const continueUrl = 'http://localhost/';
  await client.post('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email: ANN.email, continueUrl });
  const oobCode = await requireCode(client, 'EMAIL_SIGNIN');
  const signIn = () => client.post('accounts:signInWithEmailLink', { email: ANN.email, oobCode });
  expect((await signIn()).error).toMatch(/^BLOCKING_FUNCTION/);
  expect((await signIn()).status).toBe(200);
  expect(events.map(({ sign_in_method }) => sign_in_method)).toEqual(['emailLink', 'emailLink']);
});

test('[I948] a sign-in is rejected if the account is disabled while the function runs', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp();
  const { uri } = await openFunctions(async () => {
    await client.admin('/v1/projects/demo/accounts:update', { localId, disableUser: true });
    return [200, {}];
  });
  await register(client, { beforeSignIn: { functionUri: uri } });
  expect((await client.post('accounts:signInWithPassword', ANN)).error).toBe('USER_DISABLED');
});

test('[I949] a project may set https addresses for known events, and an update without them removes them', async () => {
  const client = await AuthClient.open();
  const update = (triggers: unknown) =>
    client.request(
      'PATCH',
      '/v2/projects/demo/config?updateMask=blockingFunctions.triggers',
      JSON.stringify({ blockingFunctions: { triggers } }),
      { authorization: 'Bearer owner' },
    );
  for (const triggers of [
    { afterAll: { functionUri: 'https://x.example' } },
    { beforeCreate: { functionUri: 'x' } },
    { beforeCreate: { functionUri: 'ftp://x.example' } },
    { beforeCreate: { functionUri: 'https://user@x.example' } },
    { beforeCreate: { functionUri: 'https://x.example', audience: 'demo' } },
    { beforeCreate: 'https://x.example' },
  ])
    expect((await update(triggers)).error).toMatch(/^INVALID_BLOCKING_FUNCTION/);
  const { json } = await update({ beforeCreate: { functionUri: 'https://x.example/hook' } });
  expect(Object(json['blockingFunctions']).triggers).toEqual({
    beforeCreate: { functionUri: 'https://x.example/hook', updateTime: expect.any(String) },
  });
  expect(Object((await update({})).json['blockingFunctions']).triggers).toBeUndefined();
});
