import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { FIRST_POSITION } from '../chain.ts';
import { Choices } from '../model/choices.ts';
import { contentHash } from '../node/content-hash.ts';
import { findPosition, putLogIdentity, putPosition, undoKey } from '../node/position.ts';
import { MemorySnapshots } from './memory-snapshots.fixture.ts';
import { readSnapshot } from './read-snapshot.ts';
import { decodeSnapshot, encodeSnapshot, MAX_PIECE_BYTES } from './snapshot.ts';
import { snapshotStorageContract } from './storage.contract.ts';
import { writeSnapshot } from './write-snapshot.ts';

const POSITION = { ...FIRST_POSITION, slot: 7, validSlot: 6, epoch: 2 };
const { signal } = new AbortController();
const timers = {
  after: (_ms: number, action: () => void) => {
    queueMicrotask(action);
    return () => undefined;
  },
};
const ID = '0123456789abcdef';

snapshotStorageContract('memory', async () => {
  const snapshots = new MemorySnapshots();
  return {
    connect: () => Promise.resolve(snapshots.connect(timers, new Choices(1))),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

function fill(store: KvStore, lengths: readonly number[]): void {
  store.transact((tx): void => {
    lengths.forEach((length, index) => {
      tx.put('tree', Buffer.from(`key-${index}`), Buffer.alloc(length, index));
    });
    tx.put('meta', Buffer.from('secret-key-check'), Buffer.from('x'));
    tx.put('before', Buffer.from('a'), Buffer.from('local'));
    tx.put('meta', undoKey(4), Buffer.from('local'));
    putLogIdentity(tx, 'local');
    putPosition(tx, POSITION);
  });
}

test.each([
  ['nothing else', []],
  ['an empty value', [0]],
  ['many small values', Array.from({ length: 3_000 }, (_, index) => index % 300)],
  ['values longer than a piece', [3 * MAX_PIECE_BYTES + 5, 1, MAX_PIECE_BYTES]],
  ['a value that fills a piece', [MAX_PIECE_BYTES - 12]],
])(
  '[D24] a snapshot with %s contains what nodes have in common, and its position',
  async (_name, lengths) => {
    const storage = new MemorySnapshots().connect(timers, new Choices(1));
    const from = new MemoryStore();
    fill(from, lengths);
    const snapshot = await writeSnapshot(from, storage, ID, signal);
    expect(snapshot).toMatchObject({ id: ID, position: POSITION, keys: lengths.length + 1 });
    expect((await storage.list()).complete).toEqual([snapshot]);
    const to = new MemoryStore();
    await readSnapshot(snapshot, storage, to, signal);
    expect(contentHash(to)).toBe(contentHash(from));
    expect(to.read(findPosition)).toEqual(POSITION);
    expect(to.read((tx) => tx.count('before', {}, 10))).toBe(0);
    expect(to.read((tx) => tx.count('meta', {}, 10))).toBe(2);
  },
);

test('[D24] a snapshot that is damaged, incomplete or another one gives no position', async () => {
  const snapshots = new MemorySnapshots();
  const storage = snapshots.connect(timers, new Choices(1));
  const from = new MemoryStore();
  fill(from, [100, MAX_PIECE_BYTES]);
  const snapshot = await writeSnapshot(from, storage, ID, signal);
  const load = async (described: typeof snapshot): Promise<void> => {
    const to = new MemoryStore();
    try {
      await readSnapshot(described, storage, to, signal);
    } finally {
      expect(to.read(findPosition)).toBeUndefined();
    }
  };
  await expect(load({ ...snapshot, keys: snapshot.keys + 1 })).rejects.toThrow('is damaged');
  await expect(load({ ...snapshot, sha256: '0'.repeat(64) })).rejects.toThrow('is damaged');
  await expect(load({ ...snapshot, pieces: snapshot.pieces - 1 })).rejects.toThrow('is damaged');
  await expect(load({ ...snapshot, pieces: snapshot.pieces + 1 })).rejects.toThrow('lacks piece');
  snapshots.damage();
  await expect(load(snapshot)).rejects.toThrow();
});

test('[D24] descriptions are decoded as they were encoded, and other bytes are none', () => {
  const snapshot = { id: ID, position: POSITION, pieces: 1, keys: 2, bytes: 3, sha256: 'a' };
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot);
  for (const text of [
    '',
    'null',
    '{}',
    '{"id":1}',
    '{"id":"a","position":"{","sha256":"","pieces":1,"keys":1,"bytes":1}',
  ])
    expect(decodeSnapshot(Buffer.from(text))).toBeUndefined();
});
