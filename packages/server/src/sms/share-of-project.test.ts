import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_CONCURRENT, MAX_CONCURRENT_OF_SENDER } from '../outbox/lanes.ts';
import { Outbox } from '../outbox/outbox.ts';
import { OutboxWorker } from '../outbox/worker.ts';
import { createLogger } from '../platform/logger.ts';
import { randomBytes } from '../platform/random.ts';
import { Secret, secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import { type SmsDriver, sealSmsSecret } from './driver.ts';
import { createSmsSend } from './http-send.ts';
import { SMS_POLL_MS, SMS_QUEUE } from './queue.ts';
import { SmsSenders } from './senders.ts';
import type { TextMessage } from './text-message.ts';

const WITHIN = { timeout: 120_000 };
const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);

/**
 * Starts a gateway that records which project each message is from. It answers projects for which `isSlow` returns true
 * only after `release`.
 */
async function openGateway(isSlow: (project: string) => boolean) {
  const arrived: string[] = [];
  const held: (() => void)[] = [];
  const gate = { isOpen: false };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { project } = JSON.parse(Buffer.concat(chunks).toString());
    arrived.push(project);
    const answer = () => void response.writeHead(204).end();
    if (isSlow(project) && !gate.isOpen) held.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`,
    countOf: (project: string) => arrived.filter((name) => name === project).length,
    release() {
      gate.isOpen = true;
      for (const answer of held.splice(0)) answer();
    },
  };
}

/** Starts a worker whose projects send through webhooks at `url`. */
function openQueue(url: string) {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const outbox = new Outbox({ recordStore, box, randomBytes, policy: SMS_QUEUE });
  const drivers = new Map<string, SmsDriver>();
  const findDriver = (project: string): SmsDriver => {
    const known = drivers.get(project);
    if (known !== undefined) return structuredClone(known);
    const target = { kind: 'webhook', url: `${url}?${project}`, sendsCode: false } as const;
    const driver = { ...target, sealedSecret: sealSmsSecret(box, target, new Secret('s3cret')) };
    drivers.set(project, driver);
    return driver;
  };
  const senders = new SmsSenders({ box, send: createSmsSend(undefined), findDriver });
  const worker = new OutboxWorker({
    outbox,
    findSender: (project) => senders.find(project),
    noun: 'a text message',
    pollMs: SMS_POLL_MS,
    clock,
    logger: createLogger('info', { write: () => undefined }),
  });
  onTestFinished(() => worker[Symbol.asyncDispose]());
  const queue = (project: string, count: number) =>
    recordStore.change((transaction) => {
      const message: TextMessage = {
        project,
        kind: 'SIGN_IN_OR_SIGN_UP',
        to: '+16505550101',
        text: '123456 is your code.',
        code: '123456',
        locale: 'en',
        origin: 'https://hearth.example.com',
        createdAtMs: transaction.nowMs,
      };
      for (let index = 0; index < count; index++) outbox.enqueue(transaction, message);
    });
  return { worker, outbox, queue };
}

test('[I795] a project with a slow gateway does not delay the messages of other projects', async () => {
  const gateway = await openGateway((project) => project === 'slow');
  const { worker, outbox, queue } = openQueue(gateway.url);
  await queue('slow', 200);
  worker.start();
  await vi.waitFor(() => expect(gateway.countOf('slow')).toBe(MAX_CONCURRENT_OF_SENDER), WITHIN);
  await queue('quick', 20);
  await queue('other', 20);
  await vi.waitFor(() => expect(outbox.status().waiting).toBe(200), WITHIN);
  expect([gateway.countOf('quick'), gateway.countOf('other')]).toEqual([20, 20]);
  expect(gateway.countOf('slow')).toBe(MAX_CONCURRENT_OF_SENDER);
  gateway.release();
  await vi.waitFor(() => expect(outbox.status().waiting).toBe(0), WITHIN);
  expect(gateway.countOf('slow')).toBe(200);
});

test('[I795] several slow gateways together leave room for one more project', async () => {
  const names = Array.from({ length: MAX_CONCURRENT / MAX_CONCURRENT_OF_SENDER - 1 }, (_, n) => `slow${n}`);
  const gateway = await openGateway((project) => project.startsWith('slow'));
  const { worker, queue } = openQueue(gateway.url);
  for (const name of names) await queue(name, 10);
  worker.start();
  const sent = () => names.map((name) => gateway.countOf(name));
  await vi.waitFor(() => expect(sent()).toEqual(names.map(() => MAX_CONCURRENT_OF_SENDER)), WITHIN);
  await queue('quick', 10);
  await vi.waitFor(() => expect(gateway.countOf('quick')).toBe(10), WITHIN);
  expect(sent()).toEqual(names.map(() => MAX_CONCURRENT_OF_SENDER));
});
