import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapSpaceStatistics } from 'node:v8';
import { afterAll, expect, test } from 'vitest';
import { collectGarbage } from '../../platform/collect-garbage.fixture.ts';
import { findMappedBytes, LmdbStore } from './lmdb.ts';
import { kvStoreContract } from './store.contract.ts';
import { StoreFailing } from './store.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-lmdb-'));
afterAll(() => rmSync(parent, { recursive: true }));
const newDirectory = (): string => mkdtempSync(join(parent, 'store.'));

kvStoreContract('lmdb', () => new LmdbStore({ directory: newDirectory() }));

test('[K7] a written pair exists after the store is closed and opened again', () => {
  const directory = newDirectory();
  {
    using store = new LmdbStore({ directory });
    store.transact((tx) => tx.put('log', Buffer.from('a'), Buffer.from('1')));
  }
  using store = new LmdbStore({ directory });
  expect(store.read((tx) => tx.find('log', Buffer.from('a'))?.toString())).toBe('1');
  expect(store.sizeBytes()).toBeGreaterThan(0);
});

test('[K172] after an error of the disk, a transaction is rejected whole, and the next ones try again', () => {
  using store = new LmdbStore({ directory: newDirectory() });
  const key = Buffer.from('a');
  store.transact((tx) => tx.put('log', key, Buffer.from('1')));
  const failing = (): void =>
    store.transact((tx) => {
      tx.put('log', key, Buffer.from('2'));
      throw Object.assign(new Error('EIO, on purpose'), { code: constants.errno.EIO });
    });
  expect(failing).toThrow(StoreFailing);
  expect(failing).toThrow(StoreFailing);
  expect(store.read((tx) => tx.find('log', key)?.toString())).toBe('1');
  store.transact((tx) => tx.put('log', key, Buffer.from('3')));
  expect(store.read((tx) => tx.find('log', key)?.toString())).toBe('3');
});

test('[K173] a store that cannot be opened again after an error is opened as soon as that is possible', () => {
  const directory = newDirectory();
  using store = new LmdbStore({ directory });
  const key = Buffer.from('a');
  store.transact((tx) => tx.put('log', key, Buffer.from('1')));
  const failed = (): void =>
    store.transact(() => {
      throw Object.assign(new Error('EIO, on purpose'), { code: constants.errno.EIO });
    });
  expect(failed).toThrow(StoreFailing);
  renameSync(directory, `${directory}.away`);
  writeFileSync(directory, '');
  expect(() => store.read((tx) => tx.find('log', key))).toThrow();
  expect(() => store.transact((tx) => tx.put('log', key, Buffer.from('2')))).toThrow();
  rmSync(directory);
  renameSync(`${directory}.away`, directory);
  expect(store.read((tx) => tx.find('log', key)?.toString())).toBe('1');
});

test('[H450] the space of removed pairs no longer counts as used', () => {
  using store = new LmdbStore({ directory: newDirectory() });
  const fill = (): void =>
    store.transact((tx) => {
      for (let index = 0; index < 100; index++)
        tx.put('tree', Buffer.from(`k${index}`), Buffer.alloc(10_000));
    });
  fill();
  const [sizeBytes, usedBytes] = [store.sizeBytes(), store.usedBytes()];
  expect(usedBytes).toBeGreaterThan(1_000_000);
  expect(usedBytes).toBeLessThanOrEqual(sizeBytes);
  store.transact((tx) => {
    for (let index = 0; index < 100; index++) tx.remove('tree', Buffer.from(`k${index}`));
  });
  expect(store.usedBytes()).toBeLessThan(usedBytes / 10);
});

test("[H388] only the owner can access the store's files, even in a directory that others can read", () => {
  const directory = newDirectory();
  chmodSync(directory, 0o755);
  using _store = new LmdbStore({ directory });
  for (const name of ['data.mdb', 'lock.mdb'])
    expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
});

test('[K8] the resident pages of the file stay near the limit while everything is read, forward and backward', () => {
  const maxMappedBytes = (findMappedBytes() ?? 0) + 8 * 2 ** 20;
  using store = new LmdbStore({ directory: newDirectory(), maxMappedBytes });
  const count = 60_000;
  for (let start = 0; start < count; start += 5000)
    store.transact((tx) => {
      for (let index = start; index < start + 5000; index += 1)
        tx.put('tree', keyOf(index), Buffer.alloc(1500, index));
    });
  for (const isReversed of [false, true]) {
    let seen = 0;
    store.read((tx) => {
      for (const { value } of tx.scan('tree', { isReversed })) seen += value.length;
    });
    expect(seen).toBe(count * 1500);
  }
  // A check follows every 8 MiB read, so the file's 90 MiB cannot all be resident.
  expect(findMappedBytes() ?? 0).toBeLessThan(maxMappedBytes + 32 * 2 ** 20);
});

test('[K3] an error other than a full disk is passed on unchanged', () => {
  using store = new LmdbStore({ directory: newDirectory() });
  const failing = (): void =>
    store.transact((tx) => {
      tx.put('tree', Buffer.alloc(5000), Buffer.alloc(1));
    });
  expect(failing).toThrow(/key/i);
  store.transact((tx) => tx.put('tree', Buffer.from('a'), Buffer.from('1')));
  expect(store.read((tx) => tx.find('tree', Buffer.from('a'))?.toString())).toBe('1');
});

test('[K167] the results of transactions are garbage-collected while they are young', () => {
  using store = new LmdbStore({ directory: newDirectory() });
  // About 80 kB.
  const createResult = (): readonly object[] => Array.from({ length: 2000 }, (_, index) => ({ index }));
  const transact = (): unknown =>
    store.transact((tx) => {
      tx.put('tree', keyOf(0), Buffer.from('1'));
      for (const { value } of tx.scan('tree', {})) expect(value.length).toBe(1);
      return createResult();
    });
  // Warm-up: some objects are created once.
  for (let round = 0; round < 10; round += 1) {
    transact();
    createResult();
  }
  collectGarbage('all');
  const growths = Array.from({ length: 25 }, () => [
    measureSurvivors(transact),
    measureSurvivors(createResult),
  ]);
  const differences = growths.map(([inTransaction = 0, alone = 0]) => inTransaction - alone);
  // The median difference: in a process that ran many tests, objects can survive for other reasons as well.
  expect(differences.toSorted((a, b) => a - b)[12]).toBeLessThan(20_000);
});

/** Returns how many bytes more survive young garbage collections after a call whose result is not used. */
function measureSurvivors(call: () => unknown): number {
  const before = oldBytes();
  call();
  collectGarbage('young');
  collectGarbage('young');
  return oldBytes() - before;
}

/** Returns the size of the objects that have survived collections of young objects, in bytes. */
function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}

function keyOf(index: number): Buffer {
  return Buffer.from(String(index).padStart(8, '0'));
}
