import { expect, test } from 'vitest';
import { DeliveryFailure } from '../outbox/message.ts';
import { collectGarbage } from '../platform/collect-garbage.fixture.ts';
import { type Mailer, MISSING_MAILER } from './mailer.ts';
import { A_MAIL, MemoryMailer, mailTestBed, SECRET_LINK } from './outbox.fixture.ts';
import { retryDelayMs } from './queue.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LATER = new DeliveryFailure('temporary', '451 Try later');
const DOWN = new DeliveryFailure('unavailable', 'connect ECONNREFUSED');
const REFUSED = new DeliveryFailure('permanent', '550 No such user');

test('[I136] a mail is sent as it was queued, and only once', async () => {
  const { outbox, worker, mailer, enqueue } = mailTestBed().start();
  const outcome = await enqueue();
  await worker.deliverDue();
  await worker.deliverDue();
  expect(mailer.sent).toEqual([{ ...A_MAIL, id: outcome.kind === 'queued' ? outcome.id : '' }]);
  expect(outbox.status()).toEqual({ waiting: 0, dead: 0 });
});

test('[I136] more mails than the worker reads at a time are all sent, each once', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox, worker, mailer } = start();
  await recordStore.change((transaction) => {
    for (let n = 0; n < 250; n++) outbox.enqueue(transaction, { ...A_MAIL, to: `n${n}@example.com` });
  });
  await Promise.all([worker.deliverDue(), worker.deliverDue()]);
  expect(new Set(mailer.sent.map(({ to }) => to)).size).toBe(250);
  expect(mailer.sent).toHaveLength(250);
  expect(outbox.status().waiting).toBe(0);
});

test('[I136] a mail that a killed server was sending is sent by the next server, with the same id', async () => {
  const { start } = mailTestBed();
  const { promise: seen, resolve } = Promise.withResolvers<string>();
  const never: Mailer = {
    send: (mail) => {
      resolve(mail.id);
      return new Promise(() => undefined);
    },
  };
  const killed = start({ mailer: never });
  await killed.enqueue();
  // The test neither awaits nor stops this worker, like a process that was killed.
  const _abandoned = killed.worker.deliverDue();
  const id = await seen;
  const { worker, mailer, outbox } = start();
  await worker.deliverDue();
  expect(mailer.sent).toMatchObject([{ id }]);
  expect(outbox.status().waiting).toBe(0);
});

test('[I136] a full disk does not cause a mail to be sent twice', async () => {
  const { disk, start } = mailTestBed();
  const { outbox, worker, mailer, enqueue } = start();
  await Promise.all(Array.from({ length: 10 }, () => enqueue()));
  disk.isFull = true;
  for (let n = 0; n < 3; n++) await expect(worker.deliverDue()).rejects.toThrow('The disk is full.');
  expect(mailer.sent).toHaveLength(3);
  disk.isFull = false;
  await worker.deliverDue();
  expect(new Set(mailer.sent.map(({ id }) => id)).size).toBe(10);
  expect(mailer.sent).toHaveLength(10);
  expect(outbox.status().waiting).toBe(0);
});

test('[I136] a server that stops aborts the mails that it is sending, and does not count the attempt', async () => {
  const { start, clock } = mailTestBed();
  const { promise: isSending, resolve: begin } = Promise.withResolvers<void>();
  const patient: Mailer = {
    send: (_mail, signal) => {
      begin();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(DOWN)));
    },
  };
  const first = start({ mailer: patient });
  await first.enqueue();
  const sending = first.worker.deliverDue();
  await isSending;
  await first.worker[Symbol.asyncDispose]();
  await sending;
  const { outbox } = start();
  expect(outbox.listDue(clock.nowMs(), undefined, 10)).toHaveLength(1);
  expect(outbox.status()).toMatchObject({ waiting: 1, dead: 0 });
});

test('[I136] mails are sent as soon as they are queued', async () => {
  const { start } = mailTestBed();
  const { promise, resolve } = Promise.withResolvers<string>();
  const mailer: Mailer = {
    send: (mail) => {
      resolve(mail.to);
      return Promise.resolve();
    },
  };
  const { worker, enqueue } = start({ mailer });
  worker.start();
  await enqueue();
  expect(await promise).toBe('ada@example.com');
  await worker[Symbol.asyncDispose]();
});

test.each([
  [1, 1],
  [2, 2],
  [3, 4],
  [9, 256],
  [10, 360],
  [50, 360],
])('[I137] the delay after attempt %d is %d min', (attempts, minutes) => {
  expect(retryDelayMs(attempts)).toBe(minutes * MINUTE_MS);
});

test('[I137] a rejected mail is retried, but not before its delay has passed', async () => {
  const { clock, start } = mailTestBed();
  const { worker, mailer, outbox, enqueue } = start();
  await enqueue();
  mailer.failures.push(LATER, LATER);
  for (const waitMs of [0, MINUTE_MS, 2 * MINUTE_MS]) {
    clock.ms += waitMs - 1;
    await worker.deliverDue();
    expect(mailer.sent).toEqual([]);
    clock.ms += 1;
    await worker.deliverDue();
  }
  expect(mailer.sent).toHaveLength(1);
  expect(outbox.status()).toMatchObject({ waiting: 0, dead: 0 });
});

test('[I137] the server gives up on a mail after two days', async () => {
  const { clock, start } = mailTestBed();
  const { worker, mailer, outbox, enqueue } = start();
  await enqueue();
  const startMs = clock.ms;
  mailer.failures.push(...Array<DeliveryFailure>(100).fill(LATER));
  while (outbox.status().waiting > 0) {
    await worker.deliverDue();
    clock.ms += 10 * MINUTE_MS;
  }
  const [dead] = outbox.listDead(10);
  expect(dead).toMatchObject({ reason: '451 Try later', queuedAtMs: startMs });
  const livedMs = (dead?.diedAtMs ?? 0) - startMs;
  expect(livedMs).toBeLessThanOrEqual(48 * HOUR_MS);
  expect(livedMs).toBeGreaterThan(40 * HOUR_MS);
});

test('[I137] the server gives up immediately on a mail that is rejected permanently', async () => {
  const { worker, mailer, outbox, enqueue } = mailTestBed().start();
  await enqueue();
  mailer.failures.push(REFUSED);
  await worker.deliverDue();
  expect(mailer.sent).toEqual([]);
  expect(outbox.status()).toMatchObject({ waiting: 0, dead: 1 });
  expect(outbox.listDead(1)).toMatchObject([{ reason: '550 No such user', attempts: 1 }]);
});

test('[I137] a mail whose link has expired is not sent', async () => {
  const { clock, start } = mailTestBed();
  const { worker, mailer, outbox, enqueue } = start();
  await enqueue({ validUntilMs: clock.ms + HOUR_MS });
  clock.ms += HOUR_MS;
  await worker.deliverDue();
  expect(mailer.sent).toEqual([]);
  expect(outbox.listDead(1)).toMatchObject([{ attempts: 0 }]);
});

test('[I138] a mail server that is down is not contacted for a minute, and mails of other projects are still sent', async () => {
  const { clock, recordStore, start } = mailTestBed();
  const down = new MemoryMailer();
  const up = new MemoryMailer();
  const { worker, outbox, enqueue } = start({ findMailer: (project) => (project === 'demo' ? down : up) });
  await recordStore.change((transaction) => {
    for (let n = 0; n < 20; n++) outbox.enqueue(transaction, A_MAIL);
  });
  await enqueue({ project: 'other' });
  down.failures.push(...Array<DeliveryFailure>(20).fill(DOWN));
  await worker.deliverDue();
  await worker.deliverDue();
  expect(up.sent).toHaveLength(1);
  // At most three mails are sent at the same time.
  expect(down.failures.length).toBeGreaterThanOrEqual(17);
  expect(outbox.status()).toMatchObject({ waiting: 20, lastFailure: { reason: 'connect ECONNREFUSED' } });

  down.failures.length = 0;
  clock.ms += MINUTE_MS;
  await worker.deliverDue();
  expect(down.sent).toHaveLength(20);
  expect(outbox.status().waiting).toBe(0);
});

test('[I138] without a mail server, mails wait and operators see the reason', async () => {
  const { clock, start } = mailTestBed();
  const first = start({ mailer: MISSING_MAILER });
  await first.enqueue();
  await first.worker.deliverDue();
  expect(first.outbox.status()).toMatchObject({
    waiting: 1,
    lastFailure: { reason: 'No mail server is set up.' },
  });
  clock.ms += MINUTE_MS;
  const second = start();
  await second.worker.deliverDue();
  expect(second.mailer.sent).toHaveLength(1);
});

test('[I138] the server gives up after two days on mails that wait for a mail server', async () => {
  const { clock, recordStore, start } = mailTestBed();
  const { worker, outbox } = start({ mailer: MISSING_MAILER });
  await recordStore.change((transaction) => {
    for (let n = 0; n < 20; n++) outbox.enqueue(transaction, A_MAIL);
  });
  await worker.deliverDue();
  clock.ms += 48 * HOUR_MS;
  await worker.deliverDue();
  expect(outbox.status()).toMatchObject({ waiting: 0, dead: 20 });
});

test('[I143] a mail sealed with another key waits', async () => {
  const { start } = mailTestBed();
  await start().enqueue();
  const { worker, outbox, mailer } = start({ keyByte: 2 });
  await worker.deliverDue();
  expect(mailer.sent).toEqual([]);
  expect(outbox.status()).toMatchObject({
    waiting: 1,
    lastFailure: { reason: 'The message was sealed with another secret key.' },
  });
});

test('[I143] the log of a failure contains neither the link nor the recipient', async () => {
  const { worker, mailer, lines, enqueue } = mailTestBed().start();
  await enqueue();
  await enqueue();
  mailer.failures.push(LATER);
  await worker.deliverDue();
  expect(lines.join('')).toContain('"reason":"451 Try later"');
  expect(lines.join('')).not.toContain(SECRET_LINK);
  expect(lines.join('')).not.toContain('ada@example.com');
});

test('[I137] an unexpected error of a mailer loses no mail', async () => {
  const { start } = mailTestBed();
  const broken: Mailer = { send: () => Promise.reject(new Error('Bug')) };
  const { worker, outbox, lines, enqueue } = start({ mailer: broken });
  await enqueue();
  await worker.deliverDue();
  expect(outbox.status()).toMatchObject({ waiting: 1, dead: 0 });
  expect(lines.join('')).toContain('sending an email failed unexpectedly');
});

test('[D30] a node of a cluster sends a mail only after the transaction that queued it is committed', async () => {
  const committed = Promise.withResolvers<void>();
  const { outbox, worker, mailer, enqueue } = mailTestBed().start({ whenCurrent: () => committed.promise });
  await enqueue();
  const delivered = worker.deliverDue();
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
  expect(mailer.sent).toEqual([]);
  expect(outbox.status().waiting).toBe(1);
  committed.resolve();
  await delivered;
  expect(mailer.sent).toHaveLength(1);
  expect(outbox.status().waiting).toBe(0);
});

test('[D30] a node that stops while a mail waits for its commit does not send it, and the server sends it after the next start', async () => {
  const { start } = mailTestBed();
  const { worker, mailer, enqueue } = start({ whenCurrent: () => new Promise(() => undefined) });
  await enqueue();
  const delivered = worker.deliverDue();
  await worker[Symbol.asyncDispose]();
  await delivered;
  expect(mailer.sent).toEqual([]);
  const next = start();
  await next.worker.deliverDue();
  expect(next.mailer.sent).toHaveLength(1);
});

test('[D30] nothing stays in memory of a mail that waited for its commit', async () => {
  const commits: WeakRef<object>[] = [];
  const whenCurrent = async (): Promise<void> => {
    const commit = {};
    commits.push(new WeakRef(commit));
    // Whatever keeps the promise also keeps what it resolved with.
    return commit as never;
  };
  const { worker, mailer, enqueue } = mailTestBed().start({ whenCurrent });
  for (let n = 0; n < 20; n++) await enqueue();
  await worker.deliverDue();
  expect(mailer.sent).toHaveLength(20);
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage('all');
  expect(commits.filter((commit) => commit.deref() !== undefined)).toEqual([]);
});
