import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LmdbStore } from './lmdb.ts';
import { LmdbReader } from './lmdb-reader.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-reader-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const PAIRS = Array.from({ length: 2_000 }, (_, i) => [`k${String(i).padStart(5, '0')}`, `v${i}`] as const);

function fill(): void {
  using store = new LmdbStore({ directory });
  store.transact((tx) => {
    for (const [key, value] of PAIRS) tx.put('tree', Buffer.from(key), Buffer.from(value));
    tx.put('log', Buffer.from('a'), Buffer.alloc(0));
  });
}

test.each([
  [{}, 0, 2_000],
  [{ lower: Buffer.from('k00010'), upper: Buffer.from('k00020') }, 10, 20],
  [{ lower: Buffer.from('k01990') }, 1_990, 2_000],
  [{ lower: Buffer.from('x') }, 0, 0],
])('[K5] a reader scans %j like the store', (range, from, to) => {
  fill();
  using reader = new LmdbReader(directory);
  const scanned = Array.from(reader.scan('tree', range), ({ key, value }) => [
    key.toString(),
    value.toString(),
  ]);
  expect(scanned).toEqual(PAIRS.slice(from, to));
  const reversed = Array.from(reader.scan('tree', { ...range, isReversed: true }), ({ key }) =>
    key.toString(),
  );
  expect(reversed.reverse()).toEqual(scanned.map(([key]) => key));
});

test('[K1] a reader finds stored pairs, and nothing in a table that the file does not have', () => {
  fill();
  using reader = new LmdbReader(directory);
  expect(reader.find('tree', Buffer.from('k00007'))?.toString()).toBe('v7');
  expect(reader.find('log', Buffer.from('a'))).toEqual(Buffer.alloc(0));
  expect(reader.find('meta', Buffer.from('a'))).toBeUndefined();
});

test('[H180] a reader copies the store to another directory', async () => {
  fill();
  const copy = mkdtempSync(join(tmpdir(), 'hearth-reader-copy-'));
  {
    using reader = new LmdbReader(directory);
    await reader.copyTo(copy);
  }
  using reader = new LmdbReader(copy);
  expect([...reader.scan('tree', {})]).toHaveLength(2_000);
  rmSync(copy, { recursive: true });
});
