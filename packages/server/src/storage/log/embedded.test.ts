import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leafNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { LmdbStore } from '../kv/lmdb.ts';
import { MemoryStore } from '../kv/memory.ts';
import { nodeWrite, seqOf } from './commit.ts';
import { EmbeddedLog, type EmbeddedLogOptions } from './embedded.ts';
import type { NewCommit } from './log.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-log-'));
afterAll(() => rmSync(parent, { recursive: true }));

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});

function commitOf(name: string, database = 'db', timeMs = 1000): NewCommit {
  return {
    database,
    timeMs,
    author: { kind: 'guest' },
    writes: [nodeWrite(parsePath(name), leafNode(name))],
  };
}

function append(log: EmbeddedLog, ...commits: readonly NewCommit[]): readonly number[] {
  return log.sequence((transaction) => commits.map((commit) => transaction.append(commit).seq)).result;
}

function names(log: EmbeddedLog, after = 0, limit = 1000, database = 'db'): readonly string[] {
  return log
    .read(database, seqOf(after), limit)
    .map(({ seq, writes }) => `${seq}:${writes.map(({ path }) => path.join('/')).join()}`);
}

function head(log: EmbeddedLog, database = 'db') {
  return store.read((tx) => log.head(tx, database));
}

test('[L30] the commits of each database are numbered separately, from 1 and without gaps', () => {
  const log = new EmbeddedLog({ store });
  expect(append(log, commitOf('a'), commitOf('b', 'other'), commitOf('c'))).toEqual([1, 1, 2]);
  expect(append(log, commitOf('d'))).toEqual([3]);
  expect(append(log)).toEqual([]);
  expect(names(log)).toEqual(['1:a', '2:c', '3:d']);
  expect(names(log, 0, 9, 'other')).toEqual(['1:b']);
  expect(names(log, 0, 9, 'd')).toEqual([]);
});

test('[L30] a limit in bytes ends a read after the commit that exceeds it', () => {
  const log = new EmbeddedLog({ store });
  const long = 'x'.repeat(2_000);
  for (const name of ['a', 'b', 'c']) append(log, commitOf(`${name}${long}`.slice(0, 700)));
  const read = (after: number, maxBytes: number) =>
    log.read('db', seqOf(after), 1_000, maxBytes).map(({ seq }) => seq);
  expect(read(0, 1)).toEqual([1]);
  expect(read(1, 1)).toEqual([2]);
  expect(read(0, 2_000)).toEqual([1, 2]);
  expect(read(0, 100_000)).toEqual([1, 2, 3]);
  log.sequence((transaction) => {
    transaction.append(commitOf('d'));
    const readIn = (after: number, maxBytes: number) =>
      log.readIn(transaction.tx, 'db', seqOf(after), 1_000, maxBytes).map(({ seq }) => seq);
    expect(readIn(1, 1)).toEqual([2]);
    expect(readIn(2, 100_000)).toEqual([3, 4]);
  });
});

test('[L30] the head is 0 before the first commit, and is current within the transaction', () => {
  const log = new EmbeddedLog({ store });
  expect(head(log)).toEqual({ seq: 0, timeMs: 0 });
  log.sequence((transaction) => {
    transaction.append(commitOf('a', 'db', 77));
    expect(log.head(transaction.tx, 'db')).toEqual({ seq: 1, timeMs: 77 });
  });
  expect(head(log)).toEqual({ seq: 1, timeMs: 77 });
});

test('[L30][L31] numbers, times and commits survive a restart', () => {
  const directory = mkdtempSync(join(parent, 'restart.'));
  {
    using lmdb = new LmdbStore({ directory });
    append(new EmbeddedLog({ store: lmdb }), commitOf('a'), commitOf('b', 'db', 5000));
  }
  using lmdb = new LmdbStore({ directory });
  const log = new EmbeddedLog({ store: lmdb });
  expect(lmdb.read((tx) => log.head(tx, 'db'))).toEqual({ seq: 2, timeMs: 5000 });
  expect(append(log, commitOf('c'))).toEqual([3]);
  expect(names(log)).toEqual(['1:a', '2:b', '3:c']);
});

test.each([
  [0, 1000, ['1:a', '2:b', '3:c', '4:d', '5:e']],
  [0, 2, ['1:a', '2:b']],
  [1, 2, ['2:b', '3:c']],
  [2, 1, ['3:c']],
  [3, 9, ['4:d', '5:e']],
  [5, 9, []],
  [99, 9, []],
])('[L32] after number %i, with the limit %i, the commits are %j', (after, limit, expected) => {
  const log = new EmbeddedLog({ store });
  // Two records; the first contains three commits.
  append(log, commitOf('a'), commitOf('b'), commitOf('c'));
  append(log, commitOf('d'), commitOf('e'));
  expect(names(log, after, limit)).toEqual(expected);
});

test('[L32] a transaction of many long commits is read back like one of a few short commits', () => {
  const log = new EmbeddedLog({ store });
  const long = (i: number): NewCommit => ({
    ...commitOf(`k${i}`),
    writes: [nodeWrite(parsePath(`k${i}`), leafNode('x'.repeat(i * 100)))],
  });
  append(log, ...Array.from({ length: 50 }, (_, i) => long(i)));
  append(log, long(50));
  expect(names(log)).toEqual(Array.from({ length: 51 }, (_, i) => `${i + 1}:k${i}`));
  expect(names(log, 30, 3)).toEqual(['31:k30', '32:k31', '33:k32']);
});

describe('[L33] retention', () => {
  function kept(
    options: Omit<EmbeddedLogOptions, 'store'>,
    count: number,
    length: number,
  ): readonly number[] {
    const log = new EmbeddedLog({ store, ...options });
    for (let i = 1; i <= count; i++)
      append(log, { ...commitOf('a'), writes: [nodeWrite(parsePath('a'), leafNode('x'.repeat(length)))] });
    return log.read('db', seqOf(0), 1000).map(({ seq }) => seq);
  }

  test.each([
    ['the oldest commits beyond the maximum number are removed', { maxCommits: 3 }, 10, 10, [8, 9, 10]],
    ['the oldest commits beyond the maximum size are removed', { maxBytes: 350 }, 10, 100, [9, 10]],
    ['the last record stays, even if it is too long', { maxBytes: 10 }, 5, 1000, [5]],
    ['an empty log stays empty', { maxCommits: 3 }, 0, 0, []],
    [
      'all commits within the limits stay',
      { maxCommits: 10, maxBytes: 10_000 },
      10,
      10,
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ],
  ])('[L33] %s', (_name, options, count, length, expected) => {
    expect(kept(options, count, length)).toEqual(expected);
  });

  test('[L33] a log that is far too long gets shorter with each new record', () => {
    append(new EmbeddedLog({ store }), ...[]);
    const generous = new EmbeddedLog({ store });
    for (let i = 0; i < 20; i++) append(generous, commitOf('a'));
    const strict = new EmbeddedLog({ store, maxCommits: 2 });
    const lengths = Array.from({ length: 12 }, () => {
      append(strict, commitOf('b'));
      return names(strict).length;
    });
    expect(lengths[0]).toBe(18);
    expect(lengths.at(-1)).toBe(2);
    expect(lengths.toSorted((a, b) => b - a)).toEqual(lengths);
  });

  test('[L33] the retention of one database does not depend on another', () => {
    const log = new EmbeddedLog({ store, maxCommits: 2 });
    append(log, commitOf('a', 'other'));
    for (let i = 0; i < 10; i++) append(log, commitOf('b'));
    expect(names(log, 0, 9, 'other')).toEqual(['1:a']);
  });
});

test('[L34] a failed transaction leaves no commit behind, and its numbers are used again', () => {
  const log = new EmbeddedLog({ store });
  append(log, commitOf('a'));
  expect(() =>
    log.sequence((transaction): void => {
      transaction.append(commitOf('lost'));
      transaction.append(commitOf('lost', 'other'));
      throw new Error('on purpose');
    }),
  ).toThrow('on purpose');
  expect(head(log)).toEqual({ seq: 1, timeMs: 1000 });
  expect(head(log, 'other')).toEqual({ seq: 0, timeMs: 0 });
  expect(append(log, commitOf('b'), commitOf('c', 'other'))).toEqual([2, 1]);
  expect(names(log)).toEqual(['1:a', '2:b']);
});

test('[D17] in a cluster, a transaction is durable once other nodes can read it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const whenReady = Promise.resolve();
  const log = new EmbeddedLog({
    store,
    replication: { whenCommitted: () => promise, whenCurrent: () => promise, whenReady: () => whenReady },
  });
  const { result, durable } = log.sequence((transaction) => transaction.append(commitOf('a')).seq);
  expect(result).toBe(1);
  let isDurable = false;
  const done = durable.then(() => {
    isDurable = true;
  });
  await Promise.resolve();
  expect(isDurable).toBe(false);
  resolve();
  await done;
  expect(isDurable).toBe(true);
  expect(log.whenReady()).toBe(whenReady);
  expect(new EmbeddedLog({ store }).whenReady()).toBeUndefined();
});
