import { expect, test } from 'vitest';
import { DenialBuffer, type EncodedDenial } from './table.ts';

function entry(bytes: number, timeMs = 0): EncodedDenial {
  return { timeMs, json: Buffer.alloc(bytes) };
}

function fill(buffer: DenialBuffer, database: string, count: number, bytes: number): void {
  for (let i = 0; i < count; i++) buffer.add(database, entry(bytes, i));
}

test('[R173] entries that do not fit into the buffer are dropped and counted', () => {
  const buffer = new DenialBuffer();
  fill(buffer, 'a', 8, 2 ** 20);
  fill(buffer, 'a', 3, 1);
  fill(buffer, 'b', 2, 1);
  expect(buffer.take()).toMatchObject({ database: 'a', sampledOut: 3 });
  buffer.add('b', entry(1));
  expect(buffer.take()).toMatchObject({ database: 'b', sampledOut: 2, entries: [{ timeMs: 0 }] });
});

test('[R173] a batch has at most 100 entries and 256 KiB, and databases alternate', () => {
  const buffer = new DenialBuffer();
  fill(buffer, 'a', 130, 10);
  fill(buffer, 'b', 3, 2 ** 17);
  const batches: (readonly [string, number])[] = [];
  for (let batch = buffer.take(); batch !== undefined; batch = buffer.take())
    batches.push([batch.database, batch.entries.length]);
  expect(batches).toEqual([
    ['a', 100],
    ['b', 2],
    ['a', 30],
    ['b', 1],
  ]);
  expect(buffer.isEmpty).toBe(true);
});

test('[R173] a batch that was put back precedes later entries', () => {
  const buffer = new DenialBuffer();
  buffer.add('a', entry(1, 1));
  buffer.count('a');
  const batch = buffer.take();
  buffer.add('a', entry(1, 2));
  if (batch !== undefined) buffer.putBack(batch);
  const again = buffer.take();
  expect(again?.entries.map(({ timeMs }) => timeMs)).toEqual([1, 2]);
  expect(again?.sampledOut).toBe(1);
});

test('[R169] rolling back an entry removes it from the buffer, and has no effect once the entry was taken out', () => {
  const buffer = new DenialBuffer();
  const rollback = buffer.add('a', entry(1, 1));
  const uncount = buffer.count('a');
  buffer.add('a', entry(1, 2));
  rollback();
  uncount();
  expect(buffer.take()).toMatchObject({ entries: [{ timeMs: 2 }], sampledOut: 0 });
  rollback();
  expect(buffer.take()).toBeUndefined();
});
