import { RequestError } from '@hearth/core/error/request-error.ts';
import { leafNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { FaultyStore } from '../../realtime/model/faulty-store.fixture.ts';
import { MemoryStore } from '../kv/memory.ts';
import { type NotPromise, StoreFailing, StoreFull } from '../kv/store.ts';
import { nodeWrite, seqOf } from '../log/commit.ts';
import { EmbeddedLog } from '../log/embedded.ts';
import type { CommitLog, LogTransaction, Sequenced } from '../log/log.ts';
import { OutgoingMessage } from './outgoing-message.ts';
import { type Task, TransactionScheduler } from './scheduler.ts';
import type { Receiver, WriteTransaction } from './transaction.ts';

const KEY = Buffer.from('k');

let nowMs: number;
let elapsedMs: () => number;
let transactions: number;
/** Delays when transactions become durable. If undefined, each is durable as soon as it has run. */
let durable: (() => Promise<void>) | undefined;
/** Delays when the next transaction may begin. If undefined, it may begin immediately. */
let ready: Promise<void> | undefined;
let store: FaultyStore;
let log: CommitLog;
let scheduler: TransactionScheduler;
let lines: { readonly msg: string }[];

beforeEach(() => {
  nowMs = 1000;
  elapsedMs = () => 0;
  transactions = 0;
  durable = undefined;
  ready = undefined;
  lines = [];
  store = new FaultyStore(new MemoryStore());
  const embedded = new EmbeddedLog({ store });
  log = {
    limits: embedded.limits,
    sequence<T>(body: (transaction: LogTransaction) => NotPromise<T>): Sequenced<T> {
      transactions++;
      const sequenced = embedded.sequence<T>(body);
      return durable === undefined ? sequenced : { ...sequenced, durable: durable() };
    },
    whenReady: () => ready,
    head: (tx, database) => embedded.head(tx, database),
    read: (...args) => embedded.read(...args),
    readIn: (...args) => embedded.readIn(...args),
  };
  const clock = { nowMs: () => nowMs, elapsedMs: () => elapsedMs() };
  scheduler = new TransactionScheduler({
    log,
    clock,
    logger: createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
});

function append(transaction: WriteTransaction, path: string, database = 'db'): void {
  transaction.assertWritable();
  transaction.append({
    database,
    timeMs: transaction.commitTimeMs(database),
    author: { kind: 'guest' },
    writes: [nodeWrite(parsePath(path), leafNode(true))],
  });
}

function committedPaths(database = 'db'): readonly string[] {
  return log.read(database, seqOf(0), 1000).flatMap(({ writes }) => writes.map(({ path }) => path.join('/')));
}

class Recorder implements Receiver {
  readonly deliveries: string[][] = [];

  deliver(frames: readonly OutgoingMessage[]): void {
    this.deliveries.push(frames.map(({ text }) => text));
  }

  end(): void {
    this.deliveries.push(['end']);
  }
}

function failed(): never {
  throw new Error('a bug, on purpose');
}

test('[L1] requests of one iteration of the event loop run in one transaction, in order of arrival', async () => {
  const seen: number[] = [];
  await Promise.all(
    [1, 2, 3].map((n) =>
      scheduler.request((transaction) => {
        seen.push(n);
        append(transaction, `${n}`);
      }),
    ),
  );
  expect(transactions).toBe(1);
  expect(seen).toEqual([1, 2, 3]);
  expect(committedPaths()).toEqual(['1', '2', '3']);
});

test('[L1] a request sees the effects of earlier requests of its transaction', async () => {
  const first = scheduler.request((transaction) => transaction.tx.put('meta', KEY, Buffer.from('1')));
  const second = scheduler.request((transaction) => transaction.tx.find('meta', KEY)?.toString());
  await expect(Promise.all([first, second])).resolves.toEqual([undefined, '1']);
});

describe('[L2] the result of a transaction', () => {
  test('[L2] is reported once the transaction and all earlier ones are durable', async () => {
    const gates: (() => void)[] = [];
    durable = () => new Promise((resolve) => gates.push(resolve));
    const reported: string[] = [];
    const notify = (text: string): Promise<void> =>
      scheduler.request(() => undefined).then(() => void reported.push(text));
    const first = notify('first');
    await new Promise(setImmediate);
    const second = notify('second');
    await new Promise(setImmediate);
    expect(gates).toHaveLength(2);
    gates[1]?.();
    await new Promise(setImmediate);
    expect(reported).toEqual([]);
    gates[0]?.();
    await Promise.all([first, second]);
    expect(reported).toEqual(['first', 'second']);
  });

  test('[L2] goes to each receiver in one delivery and in order, and then to callers', async () => {
    const [a, b] = [new Recorder(), new Recorder()];
    const order: string[] = [];
    const first = scheduler.request((transaction) => {
      transaction.send(a, new OutgoingMessage('1'));
      transaction.send(b, new OutgoingMessage('2'));
    });
    const second = scheduler.request((transaction) => {
      transaction.send(a, new OutgoingMessage('3'));
      transaction.onCommit(() => order.push(`after ${a.deliveries.length} and ${b.deliveries.length}`));
    });
    await Promise.all([first, second]);
    expect([a.deliveries, b.deliveries]).toEqual([[['1', '3']], [['2']]]);
    expect(order).toEqual(['after 1 and 1']);
  });
});

test('[L3] a rejected request does not affect the requests around it', async () => {
  const outcomes = await Promise.allSettled([
    scheduler.request((transaction) => append(transaction, 'a')),
    scheduler.request(() => {
      throw new RequestError('access/denied');
    }),
    scheduler.request((transaction) => append(transaction, 'b')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'access/denied' } });
  expect(transactions).toBe(1);
  expect(committedPaths()).toEqual(['a', 'b']);
});

test('[L4] a request that hits a bug fails alone and has no effect', async () => {
  const recorder = new Recorder();
  const outcomes = await Promise.allSettled([
    scheduler.request((transaction) => append(transaction, 'a')),
    scheduler.request((transaction) => {
      append(transaction, 'lost');
      transaction.send(recorder, new OutgoingMessage('lost'));
      failed();
    }),
    scheduler.request((transaction) => {
      transaction.send(recorder, new OutgoingMessage('sent'));
      append(transaction, 'b');
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({
    reason: { code: 'internal/error', cause: { message: 'a bug, on purpose' } },
  });
  expect(committedPaths()).toEqual(['a', 'b']);
  expect(recorder.deliveries).toEqual([['sent']]);
});

test('[L4] results stay in order around a request that hits a bug', async () => {
  const order: string[] = [];
  const settle = (name: string, body: () => void): Promise<void> =>
    scheduler.request(body).then(
      () => void order.push(name),
      () => void order.push(`${name} failed`),
    );
  await Promise.all([settle('a', () => undefined), settle('b', failed), settle('c', () => undefined)]);
  expect(order).toEqual(['a', 'b failed', 'c']);
});

test('[L4][L6] next to a request that hits a bug, a request that finds the disk full is rejected with store/full', async () => {
  const outcomes = await Promise.allSettled([
    scheduler.request((transaction) => append(transaction, 'a')),
    scheduler.request(failed),
    scheduler.request((transaction) => {
      append(transaction, 'b');
      throw new StoreFull(new Error('on purpose'));
    }),
    scheduler.request((transaction) => append(transaction, 'c')),
  ]);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'internal/error' } });
  expect(outcomes[2]).toMatchObject({ reason: { code: 'store/full' } });
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(committedPaths()).toEqual(['a', 'c']);
});

test('[L5] when a transaction fails, its changes in memory are rolled back, last first', async () => {
  const undone: string[] = [];
  const remember = (transaction: WriteTransaction, name: string): void =>
    transaction.onRollback(() => undone.push(name));
  const first = scheduler.request((transaction) => {
    remember(transaction, 'a');
    remember(transaction, 'b');
  });
  const second = scheduler.request((transaction) => {
    remember(transaction, 'c');
    failed();
  });
  await Promise.allSettled([first, second]);
  // The first rollback reverts both requests together, the second only the one that fails.
  expect(undone).toEqual(['c', 'b', 'a', 'c']);
});

describe('[L6] a full disk', () => {
  test.each([
    ['at the end of the transaction', null],
    ['at the first write', 0],
  ])(
    '[L6] %s: writes are rejected, reads are answered, and the next transaction writes again',
    async (_when, atPut) => {
      store.failNext({ kind: 'full', atPut });
      const undone: string[] = [];
      const outcomes = await Promise.allSettled([
        scheduler.request((transaction) => {
          transaction.onRollback(() => undone.push('a'));
          append(transaction, 'a');
        }),
        scheduler.request((transaction) => log.head(transaction.tx, 'db').seq),
      ]);
      expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: 'store/full' } });
      expect(outcomes[1]).toEqual({ status: 'fulfilled', value: 0 });
      expect(undone).toEqual(['a']);
      await scheduler.request((transaction) => append(transaction, 'b'));
      expect(committedPaths()).toEqual(['b']);
    },
  );
});

test('[L101] while the disk reports errors, writes are rejected and reads answered; the log has one line for begin and end', async () => {
  const storeFailing = (transaction: WriteTransaction): void => {
    transaction.assertWritable();
    throw new StoreFailing(new Error('EIO, on purpose'));
  };
  for (let attempt = 0; attempt < 2; attempt++) {
    const outcomes = await Promise.allSettled([
      scheduler.request(storeFailing),
      scheduler.request((transaction) => log.head(transaction.tx, 'db').seq),
      scheduler.request((transaction) => append(transaction, 'a')),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { code: 'store/failing' } },
      { status: 'fulfilled', value: 0 },
      { reason: { code: 'store/failing' } },
    ]);
  }
  await scheduler.request((transaction) => append(transaction, 'b'));
  expect(committedPaths()).toEqual(['b']);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the disk reports errors; writes are rejected until it works again',
    'the disk works again; writes are accepted again',
  ]);
});

test('[L7] a long transaction leaves its remaining requests to the next, ahead of later requests', async () => {
  let readings = 0;
  elapsedMs = () => readings++ * 1000;
  const seen: number[] = [];
  const submit = (n: number): Promise<void> => scheduler.request(() => void seen.push(n));
  const requests = Array.from({ length: 40 }, (_, n) => submit(n));
  scheduler.submit({ run: () => undefined, reject: () => undefined });
  await requests[0];
  requests.push(submit(40));
  await Promise.all(requests);
  expect(transactions).toBeGreaterThan(1);
  expect(seen).toEqual(Array.from({ length: 41 }, (_, n) => n));
});

test('[L62] when a transaction cannot run all tasks, the submitters alternate, and each keeps its own order', async () => {
  const seen: string[] = [];
  const task = (name: string): Task => {
    let count = 0;
    return {
      run: (transaction) => void transaction.onCommit(() => seen.push(`${name}${count++}`)),
      reject: () => undefined,
    };
  };
  const [greedy, modest] = [task('greedy'), task('modest')];
  elapsedMs = (() => {
    let readings = 0;
    return () => readings++ * 1000;
  })();
  for (let i = 0; i < 4; i++) scheduler.submit(greedy);
  scheduler.submit(modest);
  await scheduler.drain();
  expect(seen).toEqual(['greedy0', 'greedy1', 'modest0', 'greedy2', 'greedy3']);
});

test('[L63] a receiver that fails is ended, and other receivers still get their messages', async () => {
  const [bad, good] = [new Recorder(), new Recorder()];
  bad.deliver = () => failed();
  await scheduler.request((transaction) => {
    transaction.send(bad, new OutgoingMessage('1'));
    transaction.onCommit(failed);
    transaction.send(good, new OutgoingMessage('2'));
  });
  expect([bad.deliveries, good.deliveries]).toEqual([[['end']], [['2']]]);
  await expect(scheduler.request(() => 'continues')).resolves.toBe('continues');
});

test('[L4] a waiting caller gets internal/error even if no transaction can run at all', async () => {
  log = {
    ...log,
    sequence: () => {
      throw new Error('the disk is gone, on purpose');
    },
  };
  const clock = { nowMs: () => nowMs, elapsedMs };
  scheduler = new TransactionScheduler({
    log,
    clock,
    logger: createLogger('silent', { write: () => undefined }),
  });
  await expect(scheduler.request(() => 1)).rejects.toMatchObject({ code: 'internal/error' });
  await expect(scheduler.request(() => 2)).rejects.toMatchObject({ code: 'internal/error' });
});

test('[L8] draining waits for all tasks that were submitted before it, including failed ones', async () => {
  const seen: string[] = [];
  scheduler.submit({
    run: (transaction) => transaction.onCommit(() => seen.push('done')),
    reject: () => undefined,
  });
  scheduler.submit({ run: failed, reject: (transaction) => transaction.onCommit(() => seen.push('failed')) });
  await scheduler.drain();
  expect(seen).toEqual(['done', 'failed']);
});

test('[L9] the commits of a transaction share one time, which never decreases even if the clock goes back', async () => {
  const times = async (): Promise<readonly number[]> => {
    await Promise.all([
      scheduler.request((transaction) => append(transaction, 'a')),
      scheduler.request((transaction) => {
        nowMs += 5;
        append(transaction, 'b');
      }),
    ]);
    return log.read('db', seqOf(0), 100).map(({ timeMs }) => timeMs);
  };
  await expect(times()).resolves.toEqual([1000, 1000]);
  nowMs = 10;
  await expect(times()).resolves.toEqual([1000, 1000, 1000, 1000]);
  nowMs = 2000;
  await expect(times()).resolves.toEqual([1000, 1000, 1000, 1000, 2000, 2000]);
});

test('[D17] requests wait while the log takes no transaction, and then run together', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  ready = promise;
  const first = scheduler.request(() => 1);
  await new Promise((done) => setImmediate(done));
  const second = scheduler.request(() => 2);
  await new Promise((done) => setImmediate(done));
  expect(transactions).toBe(0);
  ready = undefined;
  resolve();
  await expect(Promise.all([first, second])).resolves.toEqual([1, 2]);
  expect(transactions).toBe(1);
});
