import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../platform/network/public-address.ts';
import { randomBytes } from '../platform/random.ts';
import { Secret, secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { type DriverTarget, type SmsDriver, sealSmsSecret } from './driver.ts';
import { createSmsSend } from './http-send.ts';
import { SmsSenders } from './senders.ts';
import type { OutgoingTextMessage } from './text-message.ts';

const MESSAGE: OutgoingTextMessage = {
  id: '0001-ab',
  project: 'demo',
  kind: 'SIGN_IN_OR_SIGN_UP',
  to: '+16505550101',
  text: '123456 is your verification code for Chess.',
  code: '123456',
  locale: 'en',
  origin: 'https://hearth.example.com',
  createdAtMs: 1_700_000_000_000,
};

interface ReceivedPost {
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);

/** Starts a fake SMS service, and returns a function that sends a message through it. */
async function openService(reply: { status: number; body?: string; headers?: Record<string, string> }) {
  const received: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    origin,
    send: (driver: SmsDriver, message: Partial<OutgoingTextMessage> = {}, mayReach = () => true) =>
      new SmsSenders({
        box,
        send: createSmsSend(mayReach),
        findDriver: () => driver,
        endpoints: { twilio: origin, vonage: origin },
      })
        .find('demo')
        .send({ ...MESSAGE, ...message }, new AbortController().signal),
  };
}

function sealed<Target extends DriverTarget>(target: Target): Target & { readonly sealedSecret: string } {
  return { ...target, sealedSecret: sealSmsSecret(box, target, new Secret('s3cret')) };
}

const TWILIO = sealed({ kind: 'twilio', accountSid: 'AC1', apiKeySid: null, from: '+15005550006' } as const);
const VONAGE = sealed({ kind: 'vonage', apiKey: 'key', from: 'Chess' } as const);

function webhookAt(url: string, sendsCode = false) {
  return sealed({ kind: 'webhook', url, sendsCode } as const);
}

test('[I790] Twilio gets a form with the number, the text and the sender', async () => {
  const { send, received } = await openService({ status: 201, body: '{"sid":"SM1","status":"queued"}' });
  await send(TWILIO);
  await send({ ...TWILIO, from: 'MG1' });
  const authorization = `Basic ${Buffer.from('AC1:s3cret').toString('base64')}`;
  expect(received).toMatchObject([
    { url: '/2010-04-01/Accounts/AC1/Messages.json', headers: { authorization } },
    {},
  ]);
  const forms = received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(forms).toEqual([
    { To: MESSAGE.to, Body: MESSAGE.text, From: '+15005550006' },
    { To: MESSAGE.to, Body: MESSAGE.text, MessagingServiceSid: 'MG1' },
  ]);
});

test('[I790] Vonage gets JSON, and the type of texts that need Unicode', async () => {
  const { send, received } = await openService({ status: 200, body: '{"messages":[{"status":"0"}]}' });
  await send(VONAGE);
  await send(VONAGE, { text: '123456 は確認コードです。' });
  const [first, second] = received.map(({ body }) => JSON.parse(body));
  expect(first).toEqual({
    api_key: 'key',
    api_secret: 's3cret',
    to: '16505550101',
    from: 'Chess',
    text: MESSAGE.text,
  });
  expect(second).toMatchObject({ type: 'unicode' });
});

test('[I791] a webhook gets a signed request, with the code by itself only if the owner wants it', async () => {
  const { send, received, origin } = await openService({ status: 204 });
  await send(webhookAt(`${origin}/sms`));
  await send(webhookAt(`${origin}/sms`, true));
  const [first, second] = received;
  expect(JSON.parse(first?.body ?? '')).toEqual({
    type: 'sms',
    id: '0001-ab',
    to: MESSAGE.to,
    text: MESSAGE.text,
    locale: 'en',
    purpose: 'SIGN_IN_OR_SIGN_UP',
    project: 'demo',
    tenant: null,
    createdAt: '2023-11-14T22:13:20.000Z',
  });
  expect(JSON.parse(second?.body ?? '')).toMatchObject({ code: '123456' });
  const signed = `0001-ab.1700000000.${first?.body}`;
  expect(first?.headers).toMatchObject({
    'webhook-id': '0001-ab',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${createHmac('sha256', 's3cret').update(signed).digest('base64')}`,
  });
});

test('[I791] a webhook can block a number, and the reason is kept for operators', async () => {
  const { send, origin } = await openService({ status: 200, body: '{"block":"SIM was swapped"}' });
  await expect(send(webhookAt(origin))).rejects.toMatchObject({
    kind: 'permanent',
    message: 'blocked: SIM was swapped',
  });
});

test.each<readonly [SmsDriver, number, string, string, string]>([
  [TWILIO, 400, '{"code":21211}', 'permanent', 'number: Twilio answered 21211.'],
  [TWILIO, 400, '{"code":21408}', 'permanent', 'region: Twilio answered 21408.'],
  [TWILIO, 400, '{"code":21610}', 'permanent', 'unsubscribed: Twilio answered 21610.'],
  [TWILIO, 401, '{"code":20003}', 'permanent', 'credentials: Twilio answered 20003.'],
  [TWILIO, 429, '{"code":20429}', 'temporary', 'busy: Twilio answered 20429.'],
  [TWILIO, 503, 'down', 'temporary', 'busy: Twilio answered 503.'],
  [VONAGE, 200, '{"messages":[{"status":"1"}]}', 'temporary', 'busy: Vonage answered 1.'],
  [VONAGE, 200, '{"messages":[{"status":"4"}]}', 'permanent', 'credentials: Vonage answered 4.'],
  [VONAGE, 200, '{"messages":[{"status":"6"}]}', 'permanent', 'number: Vonage answered 6.'],
  [VONAGE, 200, '{"messages":[{"status":"9"}]}', 'permanent', 'account: Vonage answered 9.'],
  [VONAGE, 200, 'nonsense', 'permanent', 'refused: Vonage answered HTTP 200.'],
])('[I790] %j with the reply %s %s is a %s failure', async (driver, status, body, kind, message) => {
  const { send } = await openService({ status, body });
  await expect(send(driver)).rejects.toMatchObject({ kind, message });
});

test.each([
  [400, 'permanent', 'refused: The webhook answered 400.'],
  [302, 'permanent', 'refused: The webhook answered 302.'],
  [429, 'temporary', 'busy: The webhook answered 429.'],
  [500, 'temporary', 'busy: The webhook answered 500.'],
])(
  '[I791] a webhook that answers %s is a %s failure, and no redirect is followed',
  async (status, kind, message) => {
    const { send, received, origin } = await openService({ status, headers: { location: '/elsewhere' } });
    await expect(send(webhookAt(`${origin}/sms`))).rejects.toMatchObject({ kind, message });
    expect(received).toHaveLength(1);
  },
);

test('[I792] a service at a private address gets no request', async () => {
  const { send, received, origin } = await openService({ status: 200 });
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const url = origin.replace('127.0.0.1', host);
    await expect(send(webhookAt(url), {}, isPublicAddress as never)).rejects.toMatchObject({
      kind: 'temporary',
      message: expect.stringContaining('--allow-private-sms'),
    });
  }
  expect(received).toEqual([]);
});

test('[I790] a reply that is too long is a temporary failure', async () => {
  const { send, origin } = await openService({ status: 200, body: 'x'.repeat(70_000) });
  await expect(send(webhookAt(origin))).rejects.toMatchObject({ kind: 'temporary' });
});

test('[I793] the secret of a driver is used only for the service and account that it was entered for', async () => {
  const { send, received, origin } = await openService({ status: 200 });
  const { sealedSecret } = webhookAt(`${origin}/mine`);
  const stolen = { kind: 'webhook', url: `${origin}/theirs`, sendsCode: false, sealedSecret } as const;
  await expect(send(stolen)).rejects.toThrow();
  expect(received).toEqual([]);
});

test('[I790] messages of a project without a service fail permanently', async () => {
  const senders = new SmsSenders({ box, send: createSmsSend(undefined), findDriver: () => undefined });
  await expect(senders.find('demo').send(MESSAGE, new AbortController().signal)).rejects.toMatchObject({
    kind: 'permanent',
    message: 'No SMS service is set up.',
  });
});
