import { expect, test } from 'vitest';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { type AlertMessage, AlertWebhooks, createAlertSend, signatureOf } from './alert-webhook.ts';

const MESSAGE: AlertMessage = {
  project: 'shop',
  alert: 'denials',
  state: 'raised',
  value: 12,
  threshold: 10,
  atMs: 1_000,
};
const TARGET = { url: 'https://example.com/hook', secret: Buffer.from('secret') };
const HOUR_MS = 3_600_000;

/** Creates webhooks whose receiver answers with these statuses, then with 200. */
function openWebhooks(statuses: readonly number[]) {
  const received: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }[] = [];
  const lost: string[] = [];
  const send: HttpSend = async (_url, { headers, body }) => {
    received.push({ headers, body });
    return { status: statuses[received.length - 1] ?? 200, body: '' };
  };
  const webhooks = new AlertWebhooks(send, ({ alert }, reason) => lost.push(`${alert}: ${reason}`));
  return { webhooks, received, lost };
}

test('[H893] a message is posted once, with a signature of its time and body', async () => {
  const { webhooks, received } = openWebhooks([]);
  webhooks.add(MESSAGE, TARGET, 5_000);
  await webhooks.deliver(5_000);
  await webhooks.deliver(HOUR_MS);
  expect(received).toEqual([
    {
      headers: {
        'content-type': 'application/json',
        'hearth-signature': signatureOf(TARGET.secret, 5, JSON.stringify(MESSAGE)),
      },
      body: JSON.stringify(MESSAGE),
    },
  ]);
  expect(webhooks.waiting).toBe(0);
});

test('[H893] a signature is the HMAC-SHA256 of the time and the body', () => {
  // As `printf '5.{}' | openssl dgst -sha256 -hmac secret` prints it.
  expect(signatureOf(Buffer.from('secret'), 5, '{}')).toMatch(/^t=5,v1=[\da-f]{64}$/);
});

test('[H893] a message that is not accepted is posted again three times, then it is lost', async () => {
  const { webhooks, received, lost } = openWebhooks([500, 302, 404, 503]);
  webhooks.add(MESSAGE, TARGET, 0);
  for (const nowMs of [0, 1_000, 30_000, 100_000, 150_000, 700_000, 750_000, HOUR_MS])
    await webhooks.deliver(nowMs);
  expect(received).toHaveLength(4);
  expect(lost).toEqual(['denials: HTTP 503']);
  expect(webhooks.waiting).toBe(0);
});

test('[H893] a later message of an alert replaces one that waits', async () => {
  const { webhooks, received } = openWebhooks([500]);
  webhooks.add(MESSAGE, TARGET, 0);
  await webhooks.deliver(0);
  webhooks.add({ ...MESSAGE, state: 'ended' }, TARGET, 1_000);
  await webhooks.deliver(HOUR_MS);
  expect(received.map(({ body }) => JSON.parse(body ?? '').state)).toEqual(['raised', 'ended']);
});

test('[H893] at most 50 messages are posted at the same time, and none after the server stops', async () => {
  const { webhooks, received } = openWebhooks([]);
  for (let index = 0; index < 60; index++) webhooks.add({ ...MESSAGE, project: `p${index}` }, TARGET, 0);
  await webhooks.deliver(0);
  expect(received).toHaveLength(50);
  await webhooks.deliver(10_000, AbortSignal.abort());
  expect(received).toHaveLength(50);
  await webhooks.deliver(10_000);
  expect(received).toHaveLength(60);
});

test('[H893] messages go to allowed addresses only', async () => {
  const send = createAlertSend(() => false);
  const request = { method: 'POST', headers: {}, body: '{}' } as const;
  await expect(send(new URL('http://127.0.0.1:9/'), request)).rejects.toThrow('not at a public address');
});
