import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openServing, type Serving } from './serving.fixture.ts';

const NUMBER = '+16505550101';
const SECRET = 'guess-me-guess-me';
const WITHIN = { timeout: 120_000 };

/** Starts the webhook of a project's owner. It answers with `statuses` in turn, and then with 204. */
async function openWebhook(statuses: number[] = []) {
  const received: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms` };
}

/** Creates a project that sends messages through a webhook. */
async function openShop({ token, ask }: Serving, url: string) {
  const { json } = await ask('/api/projects', { token, body: { id: 'shop' } });
  const key = String(json['apiKey']);
  const configured = await ask(
    '/v2/projects/shop/config?updateMask=signIn.phoneNumber.enabled,smsRegionConfig,notification.sendSms',
    {
      method: 'PATCH',
      token,
      body: {
        signIn: { phoneNumber: { enabled: true } },
        smsRegionConfig: { allowlistOnly: { allowedRegions: ['US'] } },
        notification: {
          sendSms: {
            hearth: { driver: { type: 'WEBHOOK', url, secret: SECRET }, appProof: 'THROTTLED' },
          },
        },
      },
    },
  );
  const post = (method: string, body: object) => ask(`/v1/accounts:${method}?key=${key}`, { body });
  return { configured, post };
}

test('[I791][I793] a message is posted to the webhook of the owner, and no response contains the secret of the webhook', async () => {
  const webhook = await openWebhook();
  const serving = await openServing(undefined, { allowPrivateSms: true });
  const { configured, post } = await openShop(serving, webhook.url);
  expect(configured.status).toBe(200);
  expect(configured.text).not.toContain(SECRET);
  const { json } = await post('sendVerificationCode', { phoneNumber: NUMBER });
  await vi.waitFor(() => expect(webhook.received).toHaveLength(1), WITHIN);
  const [{ headers, body } = { headers: {}, body: '' }] = webhook.received;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`,
  );
  const code = /^\d{6}/.exec(JSON.parse(body).text)?.[0];
  const signedIn = await post('signInWithPhoneNumber', { sessionInfo: json['sessionInfo'], code });
  expect(signedIn.json).toMatchObject({ phoneNumber: NUMBER, isNewUser: true });
  expect(serving.log.join('')).not.toContain(SECRET);
  expect(serving.log.join('')).not.toContain(String(code));
  expect((await serving.ask('/emulator/sms')).status).toBe(404);
  expect((await serving.ask('/emulator/v1/projects/shop/verificationCodes')).status).toBe(404);
});

test('[I792] a server does not send messages to private addresses unless the operator allows it', async () => {
  const webhook = await openWebhook();
  const serving = await openServing();
  const { post } = await openShop(serving, webhook.url);
  expect((await post('sendVerificationCode', { phoneNumber: NUMBER })).status).toBe(200);
  await vi.waitFor(() => expect(serving.log.join('')).toContain('--allow-private-sms'), WITHIN);
  expect(webhook.received).toEqual([]);
});

test('[I799] administrators see how many messages went to each country, and which failed', async () => {
  const webhook = await openWebhook([204, 404]);
  const serving = await openServing(undefined, { allowPrivateSms: true });
  const { post } = await openShop(serving, webhook.url);
  const { token, ask } = serving;
  await post('sendVerificationCode', { phoneNumber: NUMBER });
  await post('sendVerificationCode', { phoneNumber: '+12125550103' });
  const read = async (path: string) => (await ask(`/api/projects/shop/sms${path}`, { token })).json;
  await vi.waitFor(
    async () =>
      expect(await read('')).toMatchObject({
        waiting: 0,
        dead: 1,
        lastFailure: { reason: 'refused: The webhook answered 404.' },
        countries: [{ country: 'US', accepted: 1, used: 0, pausedAtMs: null }],
      }),
    WITHIN,
  );
  const { messages } = await read('/dead?limit=5');
  expect(messages).toMatchObject([{ to: '+12125550103', reason: 'refused: The webhook answered 404.' }]);
  expect(messages).not.toHaveProperty(['0', 'text']);
  const resume = (country: unknown) => ask('/api/projects/shop/sms/resume', { token, body: { country } });
  expect((await resume('US')).text).toContain('Text messages to this country are not paused.');
  expect((await resume('us')).status).toBe(400);
  expect((await ask('/api/projects/none/sms', { token })).text).toContain('PROJECT_NOT_FOUND');
});

test('[I775] administrators see how many accounts cannot sign in because the project sends no messages', async () => {
  const { token, ask } = await openServing();
  await ask('/api/projects', { token, body: { id: 'shop' } });
  const blocked = async () => (await ask('/api/projects/shop/sms', { token })).json['blocked'];
  const create = (email: string, factors: readonly string[]) =>
    ask('/v1/projects/shop/accounts', {
      token,
      body: {
        email,
        emailVerified: true,
        mfaInfo: factors.map((phoneInfo) => ({ phoneInfo, displayName: 'mine' })),
      },
    });
  await create('ann@example.com', [NUMBER, '+12125550103']);
  await create('bob@example.com', []);
  expect(await blocked()).toBeNull();
  const body = { mfa: { state: 'ENABLED', enabledProviders: ['PHONE_SMS'] } };
  const path = '/v2/projects/shop/config?updateMask=mfa.state,mfa.enabledProviders';
  await ask(path, { token, method: 'PATCH', body });
  expect(await blocked()).toEqual({ count: 1, isExact: true });
});

test('[I800] receipts with a wrong secret or of an unknown service are rejected, and only POST is supported', async () => {
  const { ask } = await openServing();
  const url = '/__/sms/receipt/twilio/shop.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const { status } = await ask(url, { method: 'POST', body: 'MessageSid=SM1&MessageStatus=delivered' });
  expect(status).toBe(403);
  expect((await ask(url)).status).toBe(405);
  expect((await ask('/__/sms/receipt/other/x', { body: '' })).status).toBe(403);
});

test('[I801] owners preview a text, and send it to a country that the project allows', async () => {
  const webhook = await openWebhook([204, 404]);
  const serving = await openServing(undefined, { allowPrivateSms: true });
  await openShop(serving, webhook.url);
  const { token, ask } = serving;
  const post = (method: string, body: object) => ask(`/api/projects/shop/sms/${method}`, { token, body });
  expect((await post('preview', {})).json).toEqual({
    text: '123456 is your verification code for shop.',
    segments: 1,
    isUnicode: false,
  });
  expect((await post('preview', { language: 'de', template: 'Ihr Code: %CODE% ✓' })).json).toEqual({
    text: 'Ihr Code: 123456 ✓',
    segments: 1,
    isUnicode: true,
  });
  expect((await post('preview', { template: 'none' })).text).toContain('The text needs %CODE%.');
  expect((await post('test', { to: NUMBER, template: 'Try %CODE%' })).json).toEqual({ outcome: 'accepted' });
  expect(JSON.parse(webhook.received[0]?.body ?? '')).toMatchObject({ to: NUMBER, text: 'Try 123456' });
  expect((await post('test', { to: NUMBER })).json).toEqual({
    outcome: 'refused',
    reason: 'refused: The webhook answered 404.',
  });
  expect((await post('test', { to: '+4915112345678' })).text).toContain(
    'The project sends no text messages to this country.',
  );
  expect((await post('test', { to: 'nobody' })).text).toContain('INVALID_PHONE_NUMBER');
  expect(webhook.received).toHaveLength(2);
  const { countries } = (await ask('/api/projects/shop/sms', { token })).json;
  expect(countries).toEqual([]);
  const audit = await ask('/api/projects/shop/audit?event=test_sms_sent', { token });
  expect(audit.text).toContain('"refused"');
});

test('[I801] a project can send 20 test messages in an hour', async () => {
  const webhook = await openWebhook();
  const serving = await openServing(undefined, { allowPrivateSms: true });
  await openShop(serving, webhook.url);
  const send = () =>
    serving.ask('/api/projects/shop/sms/test', { token: serving.token, body: { to: NUMBER } });
  for (let sent = 0; sent < 20; sent++) expect((await send()).json).toEqual({ outcome: 'accepted' });
  expect((await send()).text).toContain('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(webhook.received).toHaveLength(20);
});
