import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordCache } from './cache.ts';
import { memoryRecordTestBed } from './memory-records.fixture.ts';
import type { RecordStore } from './store.ts';

const SEGMENT = fc.constantFrom('a', 'b', '1', '10', 'a b');
const PATH = fc.array(SEGMENT, { minLength: 1, maxLength: 3 });
const VALUE = fc.constantFrom<unknown>(null, 1, 'text', { m: 1 }, { a: { b: 2 } }, 'x'.repeat(3_000));
const STEP = fc.record({ records: fc.constantFrom('x', 'y'), location: PATH, value: VALUE, scanned: PATH });

test('[I600] cached records equal the records in the store after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      const { open } = memoryRecordTestBed();
      const recordStore = open();
      for (const { records, location, value, scanned } of steps) {
        const readAll = (by: RecordStore): unknown =>
          by.read((view) => [scanned, location].map((at) => view.records(records).find(at)));
        const seen: unknown[] = [readAll(recordStore)];
        await recordStore.change((transaction) => {
          transaction.records(records).write(location, value);
          seen.push(readAll(recordStore));
          // Runs before the change is broadcast.
          transaction.onCommit(() => seen.push(readAll(recordStore)));
        });
        const before = seen[0];
        const after = readAll(open());
        expect([...seen, readAll(recordStore)]).toEqual([before, before, after, after]);
      }
    }),
    { numRuns: 60 },
  );
});

test('[I601] records that a failed transaction read are not cached', async () => {
  const { scheduler, open } = memoryRecordTestBed();
  const recordStore = open();
  const exists = (): boolean => recordStore.read((view) => view.records('x').find(['a', 'b'])) !== undefined;
  await recordStore.change((transaction) => transaction.records('x').write(['other'], 1));
  expect(exists()).toBe(false);
  let runs = 0;
  const seen: boolean[] = [];
  const written = recordStore.change((transaction) => {
    runs += 1;
    if (runs > 1) throw new Error('not again');
    transaction.records('x').write(['a', 'b'], 1);
  });
  const failing = scheduler.request(() => {
    seen.push(exists());
    throw new Error('a bug');
  });
  await expect(written).rejects.toThrow('not again');
  await expect(failing).rejects.toThrow();
  // The failing task sees the write in the shared batch, but not when it runs again alone.
  expect(seen).toEqual([true, false]);
  expect(exists()).toBe(false);
});

test('[I602] at most 4,096 records are cached, and none with a long text or name', () => {
  const cache = new RecordCache();
  const isCached = (id: string): boolean => cache.find('store', ['kind', id]) !== undefined;
  for (let n = 0; n < 10_000; n += 1) cache.cache('store', ['kind', String(n)], n, 10);
  const cached = Array.from({ length: 10_000 }, (_, n) => String(n)).filter(isCached);
  expect(cached.length).toBeGreaterThan(2_000);
  expect(cached.length).toBeLessThanOrEqual(4_096);
  expect(cached.at(-1)).toBe('9999');
  cache.cache('store', ['kind', 'long'], 'x', 131_073);
  cache.cache('store', ['kind', 'x'.repeat(600)], 'x', 10);
  cache.cache('store', ['kind', 'short'], 'x', 131_072);
  expect(['long', 'x'.repeat(600), 'short'].map(isCached)).toEqual([false, false, true]);
});

test('[I602] the texts of all cached records have at most 8,388,608 characters, and the latest stay', () => {
  const cache = new RecordCache();
  const ids = Array.from({ length: 200 }, (_, n) => String(n));
  for (const id of ids) cache.cache('store', ['kind', id], id, 100_000);
  const isCached = (id: string): boolean => cache.find('store', ['kind', id]) !== undefined;
  // Half of the total is for the records that were read last.
  expect(ids.slice(-36).filter(isCached)).toHaveLength(36);
  expect(ids.filter(isCached).length).toBeLessThanOrEqual(83);
});
