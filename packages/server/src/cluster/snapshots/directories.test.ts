import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LmdbStore } from '../../storage/kv/lmdb.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { FIRST_POSITION } from '../chain.ts';
import { findPosition, putPosition, undoKey } from '../node/position.ts';
import { encodeKeyValues } from '../node/write-set.ts';
import {
  copyStore,
  createLoadedDirectory,
  installLoaded,
  removeUnfinished,
  setAside,
} from './directories.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-snapshots-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const KEY = Buffer.from('key');
const { signal } = new AbortController();
const open = (path: string): LmdbStore => new LmdbStore({ directory: path });
const put = (store: KvStore, value: string): void =>
  store.transact((tx): void => tx.put('tree', KEY, Buffer.from(value)));
const read = (store: KvStore): string | undefined => store.read((tx) => tx.find('tree', KEY)?.toString());

test('[D24] a copy of a store in use contains only what is committed, and does not change', async () => {
  using store = open(directory);
  const position = { ...FIRST_POSITION, slot: 3, validSlot: 3 };
  store.transact((tx): void => {
    putPosition(tx, position);
    tx.put('tree', KEY, Buffer.from('not committed'));
    const before = { table: 'tree', key: KEY, value: Buffer.from('committed') } as const;
    tx.put('meta', undoKey(1), encodeKeyValues([before]));
  });
  const copying = copyStore(directory, store.usedBytes(), open, signal);
  put(store, 'later');
  {
    const copy = await copying;
    expect(read(copy.store)).toBe('committed');
    expect(copy.store.read(findPosition)).toEqual(position);
    const name = readdirSync(directory).find((each) => each.endsWith('.unfinished')) ?? '';
    expect(statSync(join(directory, name, 'data.mdb')).mode & 0o077).toBe(0);
    put(store, 'latest');
    expect(read(copy.store)).toBe('committed');
    const disposed = copy[Symbol.asyncDispose]();
    // The file system removes the copy between other work.
    expect(existsSync(join(directory, name))).toBe(true);
    await disposed;
  }
  expect(readdirSync(directory).filter((each) => each.endsWith('.unfinished'))).toEqual([]);
  expect(read(store)).toBe('latest');
});

test('[D24] a copy for which the disk has too little space is rejected, and leaves nothing', async () => {
  using store = open(directory);
  put(store, 'value');
  await expect(copyStore(directory, Number.MAX_SAFE_INTEGER, open, signal)).rejects.toThrow(
    'too little space',
  );
  expect(readdirSync(directory).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('[D24] a node that ends does not wait for a copy, which leaves nothing', async () => {
  using store = open(directory);
  put(store, 'value');
  const stopping = new AbortController();
  const copying = copyStore(directory, store.usedBytes(), open, stopping.signal);
  stopping.abort(new Error('the node ends'));
  await expect(copying).rejects.toThrow('the node ends');
  expect(readdirSync(directory).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('[D26] a loaded store replaces the one before, or neither changes', async () => {
  {
    using store = open(directory);
    put(store, 'before');
  }
  {
    using loaded = open(await createLoadedDirectory(directory));
    put(loaded, 'loaded');
  }
  {
    using store = open(directory);
    expect(read(store)).toBe('before');
  }
  await installLoaded(directory);
  using store = open(directory);
  expect(read(store)).toBe('loaded');
  expect(readdirSync(directory).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('[D26] what a process that was killed has left is removed, between other work', async () => {
  const file = join(await createLoadedDirectory(directory), 'data.mdb');
  writeFileSync(file, 'unfinished');
  const removing = removeUnfinished(directory);
  expect(existsSync(file)).toBe(true);
  await removing;
  expect(readdirSync(directory)).toEqual([]);
});

test('[D28] data that was set aside is in a data directory of its own', () => {
  {
    using store = open(directory);
    put(store, 'before');
  }
  const path = setAside(directory, 'set-aside-1');
  expect(existsSync(join(directory, 'data.mdb'))).toBe(false);
  using store = open(path);
  expect(read(store)).toBe('before');
  expect(readdirSync(path)).toContain('hearth.json');
});
