import { parseQuery } from '@hearth/core/query/fields.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { LOCKED_RULES, OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { HashMemory } from '../../storage/tree/digest.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';
import { Database } from './database.ts';
import { receiverContract } from './receiver.contract.ts';
import {
  type ListenEnd,
  type ListenObserver,
  type ListenRequest,
  StandaloneListen,
} from './standalone-listen.ts';
import { StoredDatabaseTree } from './stored-tree.ts';
import { executeWrite } from './write.ts';
import { parseUpdate } from './write-input.ts';

/** Longest response of this database, in UTF-16 code units. */
const MAX_LENGTH = 1_000;

const REQUEST: ListenRequest = { identity: ANONYMOUS, path: parsePath('a'), query: null, form: 'plain' };
const QUERY: ListenRequest = { ...REQUEST, query: parseQuery({ i: '.key', l: 1, vf: 'l' }) };

class Recorder implements ListenObserver {
  readonly receivedTexts: string[] = [];
  isFailing = false;

  begin({ text }: OutgoingMessage): void {
    this.receivedTexts.push(text);
  }

  deliver(pushes: readonly OutgoingMessage[]): void {
    if (this.isFailing) throw new Error('the observer fails');
    for (const { text } of pushes) this.receivedTexts.push(text.slice(text.indexOf('"p"'), -3));
  }

  end(reason: ListenEnd): void {
    this.receivedTexts.push(reason);
  }
}

let scheduler: TransactionScheduler;
let database: Database;
let observer: Recorder;

beforeEach(() => {
  const hashes = new HashMemory();
  let tree: StoredTree | null = null;
  observer = new Recorder();
  scheduler = new TransactionScheduler({
    log: new EmbeddedLog({ store: new MemoryStore() }),
    clock: { nowMs: () => 1000, elapsedMs: () => 0 },
    logger: createLogger('silent', { write: () => undefined }),
  });
  database = new Database('d', parseRules(OPEN_RULES), (transaction: WriteTransaction) => {
    const before = tree;
    transaction.onRollback(() => {
      tree = before;
    });
    return new StoredDatabaseTree({
      tx: transaction.tx,
      tree,
      create: () => {
        tree = { holder: allocateNodeId(transaction.tx), indexesAt: () => [] };
        return tree;
      },
      hashes,
      limits: { answerBytes: MAX_LENGTH, hashedBytes: MAX_LENGTH },
    });
  });
});

function write(transaction: WriteTransaction, at: string, json: unknown): void {
  executeWrite(transaction, database, {
    operation: 'PUT',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), { [at]: json }),
  });
}

function openListen(request: ListenRequest = REQUEST): StandaloneListen {
  const holder = { network: '192.0.2.1', evict: () => undefined };
  const memory = { pool: openTestPool(), holder };
  return new StandaloneListen(request, observer, { pay: () => undefined }, memory);
}

receiverContract('listen without a session', async () => {
  const receiver = openListen();
  await scheduler.request((transaction) => receiver.start(transaction, database));
  return { scheduler, database, receiver, take: async () => observer.receivedTexts.splice(0) };
});

test('[H151][H162] the value is sent first, then the later writes of the transaction', async () => {
  await scheduler.request((transaction) => {
    write(transaction, 'a', ['x']);
    openListen().start(transaction, database);
    write(transaction, 'a/1', 'y');
  });
  expect(observer.receivedTexts).toEqual(['["x"]', '"p":"a/1","d":"y"']);
});

test.each([[REQUEST], [QUERY]])(
  '[H164] a failed transaction leaves no listen, and the listen can be started in a later transaction: %j',
  async (request) => {
    const listen = openListen(request);
    let attempts = 0;
    const failing = scheduler.request((transaction) => {
      listen.start(transaction, database);
      attempts++;
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('Internal server error.');
    expect([attempts, database.listens.count, database.readers.size]).toEqual([2, 0, 0]);
    expect(observer.receivedTexts).toEqual([]);
    await scheduler.request((transaction) => listen.start(transaction, database));
    expect([database.listens.count, database.readers.size]).toEqual([1, 1]);
    expect(observer.receivedTexts).toEqual(['null']);
  },
);

test('[H164] a stopped listen does not start and sends nothing', async () => {
  const [never, brief] = [openListen(), openListen()];
  never.stop();
  await scheduler.request((transaction) => {
    never.start(transaction, database);
    brief.start(transaction, database);
  });
  brief.stop();
  await scheduler.request((transaction) => write(transaction, 'a', 1));
  expect(observer.receivedTexts).toEqual(['null']);
  expect(database.isIdle).toBe(true);
});

test.each([[REQUEST], [QUERY]])('[H156] a value that is too big is rejected: %j', async (request) => {
  await scheduler.request((transaction) => write(transaction, 'a', { b: 'x'.repeat(MAX_LENGTH) }));
  const listening = scheduler.request((transaction) => openListen(request).start(transaction, database));
  await expect(listening).rejects.toMatchObject({ code: 'read/too-big' });
  expect([database.isIdle, observer.receivedTexts]).toEqual([true, []]);
});

test('[H160] a listen ends when its window becomes too big', async () => {
  await scheduler.request((transaction) => openListen(QUERY).start(transaction, database));
  await scheduler.request((transaction) => write(transaction, 'a/b', 'x'.repeat(MAX_LENGTH)));
  expect([database.isIdle, observer.receivedTexts]).toEqual([true, ['null', 'too-big']]);
});

test('[H159] after new rules deny a listen, no later write is sent', async () => {
  await scheduler.request((transaction) => openListen().start(transaction, database));
  await scheduler.request((transaction) => {
    write(transaction, 'a', 1);
    database.replaceRules(transaction, parseRules(LOCKED_RULES));
    database.replaceRules(transaction, parseRules(OPEN_RULES));
    write(transaction, 'a', 2);
  });
  expect([database.isIdle, observer.receivedTexts]).toEqual([true, ['null', '"p":"a","d":1', 'revoked']]);
});

test('[H159] rules of a failed transaction revoke nothing', async () => {
  await scheduler.request((transaction) => openListen().start(transaction, database));
  const failing = scheduler.request((transaction) => {
    database.replaceRules(transaction, parseRules(LOCKED_RULES));
    throw new Error('a bug');
  });
  await expect(failing).rejects.toThrow('Internal server error.');
  await scheduler.request((transaction) => write(transaction, 'a', 1));
  expect(observer.receivedTexts).toEqual(['null', '"p":"a","d":1']);
});

test('[H162] an observer that fails receives nothing more', async () => {
  await scheduler.request((transaction) => openListen().start(transaction, database));
  observer.isFailing = true;
  await scheduler.request((transaction) => write(transaction, 'a', 1));
  expect([database.isIdle, observer.receivedTexts]).toEqual([true, ['null', 'failed']]);
});
