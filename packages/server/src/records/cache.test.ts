import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordCache } from './cache.ts';
import { memoryRecordTestBed } from './memory-records.fixture.ts';
import type { RecordStore } from './store.ts';

const SEGMENT = fc.constantFrom('a', 'b', '1', '10', 'a b');
const PATH = fc.array(SEGMENT, { minLength: 1, maxLength: 3 });
const VALUE = fc.constantFrom<unknown>(null, 1, 'text', { m: 1 }, { a: { b: 2 } }, 'x'.repeat(3_000));
const STEP = fc.record({ records: fc.constantFrom('x', 'y'), place: PATH, value: VALUE, looked: PATH });

test('[I600] what is remembered of records is what a look at the store shows, whatever is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      const { open } = memoryRecordTestBed();
      const recordStore = open();
      for (const { records, place: location, value, looked: scanned } of steps) {
        const look = (by: RecordStore): unknown =>
          by.read((view) => [scanned, location].map((at) => view.records(records).find(at)));
        const seen: unknown[] = [look(recordStore)];
        await recordStore.change((transaction) => {
          transaction.records(records).write(location, value);
          seen.push(look(recordStore));
          // Before anybody else is told of the change.
          transaction.onCommit(() => seen.push(look(recordStore)));
        });
        const before = seen[0];
        const after = look(open());
        expect([...seen, look(recordStore)]).toEqual([before, before, after, after]);
      }
    }),
    { numRuns: 60 },
  );
});

test('[I601] what a turn showed that failed is not remembered', async () => {
  const { scheduler, open } = memoryRecordTestBed();
  const recordStore = open();
  const isThere = (): boolean => recordStore.read((view) => view.records('x').find(['a', 'b'])) !== undefined;
  await recordStore.change((transaction) => transaction.records('x').write(['other'], 1));
  expect(isThere()).toBe(false);
  let runs = 0;
  const seen: boolean[] = [];
  const written = recordStore.change((transaction) => {
    runs += 1;
    if (runs > 1) throw new Error('not again');
    transaction.records('x').write(['a', 'b'], 1);
  });
  const failing = scheduler.request(() => {
    seen.push(isThere());
    throw new Error('a bug');
  });
  await expect(written).rejects.toThrow('not again');
  await expect(failing).rejects.toThrow();
  // In the turn that failed, and then alone.
  expect(seen).toEqual([true, false]);
  expect(isThere()).toBe(false);
});

test('[I602] at most 4,096 records are remembered, and none of a long text or name', () => {
  const memory = new RecordCache();
  const isKnown = (id: string): boolean => memory.find('book', ['kind', id]) !== undefined;
  for (let n = 0; n < 10_000; n += 1) memory.cache('book', ['kind', String(n)], n, 10);
  const known = Array.from({ length: 10_000 }, (_, n) => String(n)).filter(isKnown);
  expect(known.length).toBeGreaterThan(2_000);
  expect(known.length).toBeLessThanOrEqual(4_096);
  expect(known.at(-1)).toBe('9999');
  memory.cache('book', ['kind', 'long'], 'x', 2_049);
  memory.cache('book', ['kind', 'x'.repeat(600)], 'x', 10);
  memory.cache('book', ['kind', 'short'], 'x', 2_048);
  expect(['long', 'x'.repeat(600), 'short'].map(isKnown)).toEqual([false, false, true]);
});
