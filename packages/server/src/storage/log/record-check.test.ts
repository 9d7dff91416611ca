import { expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import type { KvWrite } from '../kv/store.ts';
import { EmbeddedLog } from './embedded.ts';
import { checkLog, decodeHead, encodeHead, headKey, recordKey } from './record.ts';

/** Returns a store with a log of three records of one commit each, of which at most `maxCommits` are kept. */
function openLog(maxCommits = 100): MemoryStore {
  const store = new MemoryStore();
  const log = new EmbeddedLog({ store, maxCommits });
  for (let i = 0; i < 3; i += 1)
    log.sequence((transaction) => {
      transaction.append({ database: 'a', timeMs: 1, author: { kind: 'guest' }, writes: [] });
    });
  return store;
}

test('[H185] no problem is found in a complete log, in one without its oldest commits, and in an empty one', () => {
  expect(openLog().read((tx) => checkLog(tx, 'a'))).toEqual({ seq: 3, kept: 3, problems: [] });
  expect(openLog(1).read((tx) => checkLog(tx, 'a'))).toEqual({ seq: 3, kept: 1, problems: [] });
  expect(openLog().read((tx) => checkLog(tx, 'b'))).toEqual({ seq: 0, kept: 0, problems: [] });
});

test.each<[string, (tx: KvWrite) => void, RegExp]>([
  [
    'a gap',
    (tx) => void tx.remove('log', recordKey('a', 2, 0)),
    /^the log of a has a record that starts at commit 3 instead of 2$/,
  ],
  ['a missing end', (tx) => void tx.remove('log', recordKey('a', 3, 0)), /ends with commit 2, not with 3/],
  [
    'a truncated record',
    (tx) => tx.put('log', recordKey('a', 2, 0), Buffer.from('{"v":1')),
    /^the record of commit 2 of a cannot be read: /,
  ],
  [
    'a wrong size',
    (tx) => {
      const head = decodeHead(tx.find('meta', headKey('a')) ?? Buffer.alloc(32));
      tx.put('meta', headKey('a'), encodeHead({ ...head, bytes: 1 }));
    },
    /^the log of a has \d+ bytes of records, not 1$/,
  ],
])('[H185] %s is found', (_name, damage, problem) => {
  const store = openLog();
  store.transact(damage);
  expect(store.read((tx) => checkLog(tx, 'a')).problems).toContainEqual(expect.stringMatching(problem));
});
