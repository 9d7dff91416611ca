import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { addDenials, readDenialTotals } from './table.ts';

const BOUND = { count: 1_000, bytes: 10_000, sinceMs: 0 };
/** Size of a stored entry, including the key, the time and the name of the database. */
const ENTRY_BYTES = 100;

function entries(count: number) {
  const json = Buffer.alloc(ENTRY_BYTES - 'db\0'.length - 16, ' ');
  return Array.from({ length: count }, () => ({ timeMs: 1, json }));
}

test('[R167] a log never exceeds its limit of bytes', () => {
  const store = new MemoryStore();
  for (let i = 0; i < 50; i++) {
    expect(store.transact((tx) => addDenials(tx, 'db', BOUND, entries(7), 1))).toBe(true);
    const totals = store.read((tx) => readDenialTotals(tx, 'db'));
    const stored = store.read((tx) => Array.from(tx.scan('denials', {})));
    expect(totals.count).toBe(stored.length);
    expect(totals.bytes).toBe(stored.reduce((sum, { key, value }) => sum + key.length + value.length, 0));
    expect(totals.bytes).toBeLessThanOrEqual(BOUND.bytes);
  }
  expect(store.read((tx) => readDenialTotals(tx, 'db'))).toEqual({
    nextId: 351,
    count: 100,
    bytes: BOUND.bytes,
    sampledOut: 50,
  });
});

test('[R167] one transaction removes at most 500 entries', () => {
  const store = new MemoryStore();
  store.transact((tx) => addDenials(tx, 'db', { ...BOUND, bytes: 1e6 }, entries(600), 0));
  const small = { ...BOUND, count: 10 };
  expect(store.transact((tx) => addDenials(tx, 'db', small, [], 0))).toBe(false);
  expect(store.read((tx) => readDenialTotals(tx, 'db')).count).toBe(100);
  expect(store.transact((tx) => addDenials(tx, 'db', small, [], 0))).toBe(true);
  expect(store.read((tx) => readDenialTotals(tx, 'db')).count).toBe(10);
});
