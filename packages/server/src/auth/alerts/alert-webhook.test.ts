import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { randomBytes } from '../../platform/random.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import {
  type AlertMessage,
  AlertWebhooks,
  createAlertSend,
  signatureOf,
  type WebhookTarget,
} from './alert-webhook.ts';

const MESSAGE: AlertMessage = {
  project: 'shop',
  alert: 'denials',
  state: 'raised',
  value: 12,
  threshold: 10,
  atMs: 1_000,
};
const TARGET = { url: 'https://example.com/hook', secret: Buffer.from('secret') };
const MINUTE_MS = 60_000;

interface Receiver {
  /** The statuses with which the receiver answers first; then it answers with 200. */
  readonly statuses?: readonly number[];
  readonly findTarget?: (message: AlertMessage) => WebhookTarget | undefined;
}

/**
 * Creates webhooks whose messages wait in a store. `start` creates webhooks over the same store, as a restart of the
 * server does.
 */
function openWebhooks({ statuses = [], findTarget = () => TARGET }: Receiver = {}) {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const box = secretBox(secretKey(new Uint8Array(32).fill(1)), randomBytes);
  const received: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }[] = [];
  const lost: string[] = [];
  const send: HttpSend = async (_url, { headers, body }) => {
    received.push({ headers, body });
    return { status: statuses[received.length - 1] ?? 200, body: '' };
  };
  const start = () => {
    const webhooks = new AlertWebhooks({
      services: { recordStore, secretBox: box, clock, randomBytes },
      send,
      logger: createLogger('silent', { write: () => undefined }),
      findTarget,
      onLost: (project, reason) => lost.push(`${project} ${reason}`),
    });
    const add = (message: Partial<AlertMessage> = {}): Promise<void> =>
      recordStore.change((transaction) => webhooks.add(transaction, { ...MESSAGE, ...message }, TARGET.url));
    return { add, deliver: () => webhooks.worker.deliverDue() };
  };
  const states = () => received.map(({ body }) => JSON.parse(body ?? '').state);
  return { ...start(), start, clock, received, states, lost };
}

test('[H893] a message is posted once, with a signature of its time and body', async () => {
  const { add, deliver, received, clock } = openWebhooks();
  await add();
  await deliver();
  const timeSec = Math.floor(clock.nowMs() / 1_000);
  clock.ms += 60 * MINUTE_MS;
  await deliver();
  expect(received).toEqual([
    {
      headers: {
        'content-type': 'application/json',
        'hearth-signature': signatureOf(TARGET.secret, timeSec, JSON.stringify(MESSAGE)),
      },
      body: JSON.stringify(MESSAGE),
    },
  ]);
});

test('[H893] a signature is the HMAC-SHA256 of the time and the body', () => {
  // As `printf '5.{}' | openssl dgst -sha256 -hmac secret` prints it.
  expect(signatureOf(Buffer.from('secret'), 5, '{}')).toMatch(/^t=5,v1=[\da-f]{64}$/);
});

test('[H893] a message that is not accepted is posted again three times, then it is lost', async () => {
  const { add, deliver, clock, received, lost } = openWebhooks({ statuses: [500, 302, 404, 503] });
  await add();
  const attempts: number[] = [];
  for (const delayMs of [0, 29_000, 1_000, 119_000, 1_000, 599_000, 1_000, 60 * MINUTE_MS]) {
    clock.ms += delayMs;
    await deliver();
    attempts.push(received.length);
  }
  expect(attempts).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(lost).toEqual(['shop denials: HTTP 503']);
});

test('[H893] a message that waits survives a restart, and is lost after a day', async () => {
  const { add, start, clock, states, lost } = openWebhooks();
  await add();
  clock.ms += 23 * 60 * MINUTE_MS;
  await start().deliver();
  expect(states()).toEqual(['raised']);
  await add({ state: 'ended' });
  clock.ms += 24 * 60 * MINUTE_MS;
  await start().deliver();
  expect(states()).toEqual(['raised']);
  expect(lost).toEqual(['shop The webhook did not accept the message in time.']);
});

test('[H893] a later message of an alert replaces one that waits, and a project without a webhook posts none', async () => {
  let latestMs: number | undefined = MESSAGE.atMs;
  const { add, deliver, clock, states, lost } = openWebhooks({
    statuses: [500],
    findTarget: ({ atMs }) => (atMs === latestMs ? TARGET : undefined),
  });
  await add();
  await deliver();
  latestMs = 2_000;
  await add({ state: 'ended', atMs: 2_000 });
  clock.ms += MINUTE_MS;
  await deliver();
  expect(states()).toEqual(['raised', 'ended']);
  await add();
  latestMs = undefined;
  await deliver();
  expect(states()).toHaveLength(2);
  expect(lost).toEqual([]);
});

test('[H893] messages go to allowed addresses only', async () => {
  const send = createAlertSend(() => false);
  const request = { method: 'POST', headers: {}, body: '{}' } as const;
  await expect(send(new URL('http://127.0.0.1:9/'), request)).rejects.toThrow('not at a public address');
});
