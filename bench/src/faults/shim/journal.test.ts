import { expect, test } from 'vitest';
import { readJournal } from './journal.ts';

const SECTOR_BYTES = 512;

/** Returns an entry of the journal. The entry of a write of whole sectors contains the replaced bytes. */
function entry(kind: number, sector = 0, old: readonly number[] = []): Buffer {
  const head = Buffer.alloc(32);
  [kind, sector * SECTOR_BYTES, old.length * SECTOR_BYTES, 0].forEach((value, index) => {
    head.writeBigInt64LE(BigInt(value), 8 * index);
  });
  return Buffer.concat([head, ...old.map((byte) => Buffer.alloc(SECTOR_BYTES, byte))]);
}

function oldBytes(sectors: ReadonlyMap<number, { readonly old: Buffer }>): unknown {
  return Object.fromEntries([...sectors].map(([sector, { old }]) => [sector, old[0]]));
}

const [WRITE, WRITTEN, SYNCED, SYNC_FAILED] = [1, 2, 3, 4] as const;

test.each([
  ['a write that was not flushed', [entry(WRITE, 8, [1, 2])], { 8: 1, 9: 2 }, {}],
  ['the older of two writes', [entry(WRITE, 8, [1]), entry(WRITE, 8, [7])], { 8: 1 }, {}],
  ['nothing that was flushed', [entry(WRITE, 8, [1]), entry(SYNCED)], {}, {}],
  ['a write after a flush', [entry(WRITE, 8, [1]), entry(SYNCED), entry(WRITE, 9, [5])], { 9: 5 }, {}],
  ['a write whose flush failed', [entry(WRITE, 8, [1]), entry(SYNC_FAILED), entry(SYNCED)], {}, { 8: 1 }],
  [
    'nothing that was written and flushed again after a failure',
    [entry(WRITE, 8, [1]), entry(SYNC_FAILED), entry(WRITE, 8, [2]), entry(SYNCED)],
    {},
    {},
  ],
  ['no write whose entry is incomplete', [entry(WRITE, 8, [1]).subarray(0, 100)], {}, {}],
])('[L112] a power failure undoes %s', (_name, entries, dirty, lost) => {
  const unflushed = readJournal(Buffer.concat(entries));
  expect(oldBytes(unflushed.dirty)).toEqual(dirty);
  expect(oldBytes(unflushed.lost)).toEqual(lost);
});

test('[L112] a power failure undoes no write to a file that is flushed with each write', () => {
  const written = entry(WRITTEN, 8);
  written.writeBigInt64LE(BigInt(SECTOR_BYTES), 16);
  const unflushed = readJournal(Buffer.concat([entry(WRITE, 8, [1]), entry(WRITE, 9, [2]), written]));
  expect(oldBytes(unflushed.dirty)).toEqual({ 9: 2 });
});
