import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LmdbStore } from './lmdb.ts';
import { findFileDamage } from './lmdb-file.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-lmdb-file-'));
  using store = new LmdbStore({ directory });
  store.transact((tx) => {
    for (let i = 0; i < 1000; i++) tx.put('tree', Buffer.from(`key ${i}`), Buffer.alloc(200));
  });
  file = join(directory, 'data.mdb');
});

afterEach(() => rmSync(directory, { recursive: true }));

test('[K14] no damage is found in the data file of a store, in a missing file, and in an empty file', () => {
  expect(findFileDamage(file)).toBeUndefined();
  expect(findFileDamage(join(directory, 'missing'))).toBeUndefined();
  writeFileSync(file, '');
  expect(findFileDamage(file)).toBeUndefined();
});

test('[K14] a truncated or overwritten file, and a directory in its place, are reported as damaged', () => {
  const copy = join(directory, 'copy');
  copyFileSync(file, copy);
  truncateSync(copy, 20_000);
  expect(findFileDamage(copy)).toMatch(/^is truncated to 20000 of \d+ bytes$/);
  for (const content of [Buffer.alloc(20_000, 0x7a), Buffer.alloc(8192), Buffer.from('short')]) {
    writeFileSync(copy, content);
    expect(findFileDamage(copy)).toBe('does not begin like an LMDB data file');
  }
  mkdirSync(join(directory, 'sub'));
  expect(findFileDamage(join(directory, 'sub'))).toBe('is not a file');
});
