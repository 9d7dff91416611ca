import { expect, test } from 'vitest';
import { DeliveryFailure } from '../outbox/message.ts';
import { MAX_DEAD, MAX_WAITING, MAX_WAITING_OF_PROJECT, QueueFull } from '../outbox/outbox.ts';
import { MAILS_PER_HOUR } from './limits.ts';
import { A_MAIL, mailTestBed, SECRET_LINK } from './outbox.fixture.ts';

const HOUR_MS = 3_600_000;
const REFUSED = new DeliveryFailure('permanent', '550 No such user');

test('[I135] a mail is queued if and only if the transaction that requests it commits', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox, enqueue } = start();
  await expect(
    recordStore.change((transaction) => {
      outbox.enqueue(transaction, A_MAIL);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(outbox.status()).toEqual({ waiting: 0, dead: 0 });
  expect(await enqueue()).toMatchObject({ kind: 'queued' });
  expect(outbox.status().waiting).toBe(1);
});

test('[I135] one transaction can queue several mails', async () => {
  const { recordStore, start, clock } = mailTestBed();
  const { outbox } = start();
  await recordStore.change((transaction) => {
    outbox.enqueue(transaction, A_MAIL);
    outbox.enqueue(transaction, { ...A_MAIL, to: 'eve@example.com' });
  });
  await Promise.all(
    [1, 2].map(() => recordStore.change((transaction) => outbox.enqueue(transaction, A_MAIL))),
  );
  expect(outbox.status().waiting).toBe(4);
  expect(outbox.listDue(clock.nowMs(), undefined, 10)).toHaveLength(4);
});

test('[I135] a waiting mail survives a restart of the server without loss', async () => {
  const { start, clock } = mailTestBed();
  const outcome = await start().enqueue();
  const { outbox } = start();
  const [due] = outbox.listDue(clock.nowMs(), undefined, 10);
  expect(outcome).toEqual({ kind: 'queued', id: due?.id });
  expect(outbox.findOutgoing(due?.id ?? '')).toEqual({ ...A_MAIL, id: due?.id });
});

test('[I139] the number of waiting mails is limited, and a change that requests one more is rejected', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox, enqueue } = start();
  await enqueue();
  await recordStore.change((transaction) =>
    transaction.records('mail').write(['state', 'waiting'], MAX_WAITING - 1),
  );
  const one = recordStore.change((transaction) => outbox.enqueue(transaction, A_MAIL));
  const oneMore = recordStore.change((transaction) => outbox.enqueue(transaction, A_MAIL));
  await expect(one).resolves.toMatchObject({ kind: 'queued' });
  await expect(oneMore).rejects.toThrow(QueueFull);
  await expect(oneMore).rejects.toThrow('10000 messages are already waiting');
  expect(outbox.status().waiting).toBe(MAX_WAITING);
});

test('[I139] a change that adds several mails cannot exceed the limit', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox } = start();
  await recordStore.change((transaction) =>
    transaction.records('mail').write(['state', 'waiting'], MAX_WAITING - 2),
  );
  const three = recordStore.change((transaction) => [1, 2, 3].map(() => outbox.enqueue(transaction, A_MAIL)));
  await expect(three).rejects.toThrow(QueueFull);
  expect(outbox.status().waiting).toBe(MAX_WAITING - 2);
});

test('[I139] one project can use at most a quarter of the queue, and other projects can still send', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox, enqueue } = start();
  await recordStore.change((transaction) =>
    transaction.records('mail').write(['projects', 'demo'], MAX_WAITING_OF_PROJECT - 2),
  );
  const three = recordStore.change((transaction) => [1, 2, 3].map(() => outbox.enqueue(transaction, A_MAIL)));
  await expect(three).rejects.toThrow(QueueFull);
  const outcomes = [await enqueue(), await enqueue()];
  await expect(enqueue()).rejects.toThrow('2500 messages are already waiting');
  expect(await enqueue({ project: 'other' })).toMatchObject({ kind: 'queued' });
  const [first] = outcomes;
  await outbox.remove(first?.kind === 'queued' ? first.id : '');
  expect(await enqueue()).toMatchObject({ kind: 'queued' });
});

test('[I139] sent mails no longer count', async () => {
  const { recordStore, start } = mailTestBed();
  const { outbox, enqueue } = start();
  for (let mail = 0; mail < 3; mail++) {
    const outcome = await enqueue();
    await outbox.remove(outcome.kind === 'queued' ? outcome.id : '');
  }
  expect(recordStore.read((view) => view.records('mail').find(['projects']))).toBeUndefined();
});

test('[I140] failed mails are stored without their content, and the oldest are deleted', async () => {
  const { recordStore, start, clock } = mailTestBed();
  const { outbox, enqueue } = start();
  const fail = async (): Promise<string> => {
    clock.ms += 1;
    const outcome = await enqueue();
    const id = outcome.kind === 'queued' ? outcome.id : '';
    await outbox.fail(id, REFUSED);
    return id;
  };
  const first = await fail();
  expect(outbox.listDead(10)).toEqual([
    {
      id: first,
      project: 'demo',
      kind: 'resetPassword',
      to: 'ada@example.com',
      queuedAtMs: clock.ms,
      attempts: 1,
      diedAtMs: clock.ms,
      reason: '550 No such user',
    },
  ]);
  expect(JSON.stringify(recordStore.read((view) => view.records('mail').find([])))).not.toContain('content');

  const second = await fail();
  await recordStore.change((transaction) => transaction.records('mail').write(['state', 'dead'], MAX_DEAD));
  const third = await fail();
  expect(outbox.listDead(10).map(({ id }) => id)).toEqual([third, second]);
  expect(outbox.listDead(1)).toHaveLength(1);
  expect(outbox.status()).toMatchObject({ waiting: 0, dead: MAX_DEAD });
});

test('[I141] an address gets a limited number of mails of a kind per clock hour', async () => {
  const { start, clock } = mailTestBed();
  const { enqueue } = start({ limits: MAILS_PER_HOUR });
  const nextHour = (Math.floor(clock.ms / HOUR_MS) + 1) * HOUR_MS;
  const limited = { kind: 'limited', untilMs: nextHour };
  const attempts = await Promise.all(Array.from({ length: 7 }, () => enqueue()));
  expect(attempts.map(({ kind }) => kind)).toEqual([...Array(5).fill('queued'), 'limited', 'limited']);

  expect(await enqueue({ to: 'ADA@example.com' })).toEqual(limited);
  expect(await start({ limits: MAILS_PER_HOUR }).enqueue()).toEqual(limited);
  expect(await enqueue({ to: 'eve@example.com' })).toMatchObject({ kind: 'queued' });
  expect(await enqueue({ kind: 'emailSignIn' })).toMatchObject({ kind: 'queued' });
  expect(await enqueue({ project: 'other' })).toMatchObject({ kind: 'queued' });

  clock.ms = nextHour;
  expect(await enqueue()).toMatchObject({ kind: 'queued' });
});

test('[I141] the first mail of an hour deletes the counts of the previous hour', async () => {
  const { recordStore, start, clock } = mailTestBed();
  const { enqueue } = start({ limits: MAILS_PER_HOUR });
  const hours = (): readonly string[] =>
    recordStore.read((view) =>
      view
        .records('mail')
        .list(['counts'], { limit: 10 })
        .map(({ key }) => key),
    );
  await enqueue({ to: 'eve@example.com' });
  const [first] = hours();
  clock.ms += HOUR_MS;
  await enqueue();
  expect(hours()).toHaveLength(1);
  expect(hours()).not.toContain(first);
});

test('[I142] operators see the number of waiting and failed mails, the time of the oldest waiting mail, and the last failure', async () => {
  const { start, clock } = mailTestBed();
  const { outbox, enqueue } = start();
  expect(outbox.status()).toEqual({ waiting: 0, dead: 0 });
  const firstMs = clock.ms;
  const outcome = await enqueue();
  clock.ms += 5_000;
  await enqueue();
  const id = outcome.kind === 'queued' ? outcome.id : '';
  await outbox.fail(id, new DeliveryFailure('temporary', '451 Try later'));
  const lastFailure = { atMs: clock.ms, project: 'demo', reason: '451 Try later' };
  expect(outbox.status()).toEqual({ waiting: 2, oldestAtMs: firstMs, dead: 0, lastFailure });
  await outbox.remove(id);
  expect(outbox.status()).toEqual({ waiting: 1, oldestAtMs: clock.ms, dead: 0, lastFailure });
  await outbox.remove(id);
  expect(outbox.status().waiting).toBe(1);
});

test('[I143] links are sealed in the store', async () => {
  const { recordStore, start } = mailTestBed();
  await start().enqueue();
  const stored = JSON.stringify(recordStore.read((view) => view.records('mail').find([])));
  expect(stored).toContain('ada@example.com');
  expect(stored).not.toContain(SECRET_LINK);
  expect(stored).not.toContain('c0de');
});
