import { parseQuery } from '@hearth/core/query/fields.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN, GUEST } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { LOCKED_RULES, OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import type { Frame } from '../../storage/transaction/frame.ts';
import { Committer } from '../../storage/transaction/scheduler.ts';
import type { Turn } from '../../storage/transaction/transaction.ts';
import { HashMemory } from '../../storage/tree/digest.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';
import { Database } from './database.ts';
import {
  type ListenEnd,
  type ListenObserver,
  type ListenRequest,
  StandaloneListen,
} from './standalone-listen.ts';
import { StoredDatabaseTree } from './stored-tree.ts';
import { decideWrite } from './write.ts';
import { parseUpdate } from './write-input.ts';

/** Longest answer of the database here. */
const MAX_LENGTH = 1_000;

const REQUEST: ListenRequest = { identity: GUEST, path: parsePath('a'), query: null, form: 'plain' };
const QUERY: ListenRequest = { ...REQUEST, query: parseQuery({ i: '.key', l: 1, vf: 'l' }) };

class Recorder implements ListenObserver {
  readonly heard: string[] = [];
  isFailing = false;

  begin(json: string): void {
    this.heard.push(json);
  }

  deliver(pushes: readonly Frame[]): void {
    if (this.isFailing) throw new Error('the observer fails');
    for (const { text } of pushes) this.heard.push(text.slice(text.indexOf('"p"'), -3));
  }

  end(reason: ListenEnd): void {
    this.heard.push(reason);
  }
}

let committer: Committer;
let database: Database;
let observer: Recorder;

beforeEach(() => {
  const hashes = new HashMemory();
  let tree: StoredTree | null = null;
  observer = new Recorder();
  committer = new Committer({
    log: new EmbeddedLog({ store: new MemoryStore() }),
    clock: { nowMs: () => 1000, elapsedMs: () => 0 },
    logger: createLogger('silent', { write: () => undefined }),
  });
  database = new Database('d', parseRules(OPEN_RULES), (turn: Turn) => {
    const before = tree;
    turn.onUndo(() => {
      tree = before;
    });
    return new StoredDatabaseTree({
      tx: turn.tx,
      tree,
      create: () => {
        tree = { holder: allocateNodeId(turn.tx), indexesAt: () => [] };
        return tree;
      },
      hashes,
      limits: { answerBytes: MAX_LENGTH, hashedBytes: MAX_LENGTH },
    });
  });
});

function write(turn: Turn, at: string, json: unknown): void {
  decideWrite(turn, database, {
    operation: 'PUT',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), { [at]: json }),
  });
}

function openListen(request: ListenRequest = REQUEST): StandaloneListen {
  return new StandaloneListen(request, observer);
}

test('[H151][H162] the value comes first, then what the turn goes on to write', async () => {
  await committer.request((turn) => {
    write(turn, 'a', ['x']);
    openListen().start(turn, database);
    write(turn, 'a/1', 'y');
  });
  expect(observer.heard).toEqual(['["x"]', '"p":"a/1","d":"y"']);
});

test.each([[REQUEST], [QUERY]])(
  '[H164] a listen of a turn that fails is none, and begins once: %j',
  async (request) => {
    const listen = openListen(request);
    let attempts = 0;
    const failing = committer.request((turn) => {
      listen.start(turn, database);
      attempts++;
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('Internal server error.');
    expect([attempts, database.listens.count, database.readers.size]).toEqual([2, 0, 0]);
    expect(observer.heard).toEqual([]);
    await committer.request((turn) => listen.start(turn, database));
    expect([database.listens.count, database.readers.size]).toEqual([1, 1]);
    expect(observer.heard).toEqual(['null']);
  },
);

test('[H164] a listen that was stopped does not start, and tells nothing', async () => {
  const [never, brief] = [openListen(), openListen()];
  never.stop();
  await committer.request((turn) => {
    never.start(turn, database);
    brief.start(turn, database);
  });
  brief.stop();
  await committer.request((turn) => write(turn, 'a', 1));
  expect(observer.heard).toEqual(['null']);
  expect(database.isIdle).toBe(true);
});

test.each([[REQUEST], [QUERY]])('[H156] what is too big is refused: %j', async (request) => {
  await committer.request((turn) => write(turn, 'a', { b: 'x'.repeat(MAX_LENGTH) }));
  const listening = committer.request((turn) => openListen(request).start(turn, database));
  await expect(listening).rejects.toMatchObject({ code: 'read/too-big' });
  expect([database.isIdle, observer.heard]).toEqual([true, []]);
});

test('[H160] a window that becomes too big is the end', async () => {
  await committer.request((turn) => openListen(QUERY).start(turn, database));
  await committer.request((turn) => write(turn, 'a/b', 'x'.repeat(MAX_LENGTH)));
  expect([database.isIdle, observer.heard]).toEqual([true, ['null', 'too-big']]);
});

test('[H159] nothing that is written after the rules is told', async () => {
  await committer.request((turn) => openListen().start(turn, database));
  await committer.request((turn) => {
    write(turn, 'a', 1);
    database.replaceRules(turn, parseRules(LOCKED_RULES));
    database.replaceRules(turn, parseRules(OPEN_RULES));
    write(turn, 'a', 2);
  });
  expect([database.isIdle, observer.heard]).toEqual([true, ['null', '"p":"a","d":1', 'revoked']]);
});

test('[H159] rules of a turn that fails revoke nothing', async () => {
  await committer.request((turn) => openListen().start(turn, database));
  const failing = committer.request((turn) => {
    database.replaceRules(turn, parseRules(LOCKED_RULES));
    throw new Error('a bug');
  });
  await expect(failing).rejects.toThrow('Internal server error.');
  await committer.request((turn) => write(turn, 'a', 1));
  expect(observer.heard).toEqual(['null', '"p":"a","d":1']);
});

test('[H162] an observer that misses something is told no more', async () => {
  await committer.request((turn) => openListen().start(turn, database));
  observer.isFailing = true;
  await committer.request((turn) => write(turn, 'a', 1));
  expect([database.isIdle, observer.heard]).toEqual([true, ['null', 'failed']]);
});
