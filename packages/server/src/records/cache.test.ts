import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordMemory } from './cache.ts';
import { memoryBookStand } from './memory-records.fixture.ts';
import type { Books } from './store.ts';

const SEGMENT = fc.constantFrom('a', 'b', '1', '10', 'a b');
const PLACE = fc.array(SEGMENT, { minLength: 1, maxLength: 3 });
const VALUE = fc.constantFrom<unknown>(null, 1, 'text', { m: 1 }, { a: { b: 2 } }, 'x'.repeat(3_000));
const STEP = fc.record({ book: fc.constantFrom('x', 'y'), place: PLACE, value: VALUE, looked: PLACE });

test('[I600] what is remembered of records is what a look at the store shows, whatever is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      const { open } = memoryBookStand();
      const books = open();
      for (const { book, place, value, looked } of steps) {
        const look = (by: Books): unknown =>
          by.read((view) => [looked, place].map((at) => view.book(book).find(at)));
        const seen: unknown[] = [look(books)];
        await books.change((turn) => {
          turn.book(book).write(place, value);
          seen.push(look(books));
          // Before anybody else is told of the change.
          turn.afterwards(() => seen.push(look(books)));
        });
        const before = seen[0];
        const after = look(open());
        expect([...seen, look(books)]).toEqual([before, before, after, after]);
      }
    }),
    { numRuns: 60 },
  );
});

test('[I601] what a turn showed that failed is not remembered', async () => {
  const { committer, open } = memoryBookStand();
  const books = open();
  const isThere = (): boolean => books.read((view) => view.book('x').find(['a', 'b'])) !== undefined;
  await books.change((turn) => turn.book('x').write(['other'], 1));
  expect(isThere()).toBe(false);
  let runs = 0;
  const seen: boolean[] = [];
  const written = books.change((turn) => {
    runs += 1;
    if (runs > 1) throw new Error('not again');
    turn.book('x').write(['a', 'b'], 1);
  });
  const failing = committer.request(() => {
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
  const memory = new RecordMemory();
  const isKnown = (id: string): boolean => memory.find('book', ['kind', id]) !== undefined;
  for (let n = 0; n < 10_000; n += 1) memory.note('book', ['kind', String(n)], n, 10);
  const known = Array.from({ length: 10_000 }, (_, n) => String(n)).filter(isKnown);
  expect(known.length).toBeGreaterThan(2_000);
  expect(known.length).toBeLessThanOrEqual(4_096);
  expect(known.at(-1)).toBe('9999');
  memory.note('book', ['kind', 'long'], 'x', 2_049);
  memory.note('book', ['kind', 'x'.repeat(600)], 'x', 10);
  memory.note('book', ['kind', 'short'], 'x', 2_048);
  expect(['long', 'x'.repeat(600), 'short'].map(isKnown)).toEqual([false, false, true]);
});
