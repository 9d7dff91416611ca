import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { declareFree } from './free-page-damage.fixture.ts';
import { LmdbStore } from './lmdb.ts';
import { LmdbFile } from './lmdb-file.ts';
import { checkPages, type PageUse } from './lmdb-pages.ts';
import type { KvWrite } from './store.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-lmdb-pages-'));
afterAll(() => rmSync(parent, { recursive: true }));
const newDirectory = (): string => mkdtempSync(join(parent, 'store.'));

const PAGE_BYTES = 4096;

function runToEnd(path: string): PageUse {
  const steps = checkPages(path);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function inspect(path: string): { readonly tablesRoot: number; readonly lastPage: number } {
  using file = new LmdbFile(path);
  const { tablesRoot = 0, lastPage = 0 } = file.latest ?? {};
  return { tablesRoot, lastPage };
}

const keyOf = (index: number): Buffer => Buffer.from(`key ${index}`);

/** Writes, replaces and removes values of one page and of many pages in several transactions, some of which fail. */
test('[K168] after any writes, replacements, removals and rollbacks, every page of the file is used once or is free', () => {
  const write = fc.record({
    index: fc.nat(300),
    bytes: fc.option(fc.constantFrom(1, 900, 1_900, 5_000, 40_000)),
  });
  const transactions = fc.array(
    fc.record({ writes: fc.array(write, { maxLength: 60 }), fails: fc.boolean() }),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(transactions, (history) => {
      const directory = newDirectory();
      for (const { writes, fails } of history) {
        using store = new LmdbStore({ directory });
        const apply = (tx: KvWrite): void => {
          for (const { index, bytes } of writes)
            if (bytes === null) tx.remove('tree', keyOf(index));
            else tx.put('tree', keyOf(index), Buffer.alloc(bytes, index));
          if (fails) throw new Error('undone');
        };
        if (fails) expect(() => store.transact(apply)).toThrow('undone');
        else store.transact(apply);
      }
      if (history.length === 0) return;
      const use = runToEnd(join(directory, 'data.mdb'));
      expect(use.problems).toEqual([]);
      expect(use.lostPages).toBe(0);
      expect(use.freePages).toBeLessThan(use.pages);
    }),
    { numRuns: 30 },
  );
});

test('[K169] a page that is used twice, has the wrong content, or does not exist is found', () => {
  const directory = newDirectory();
  {
    using store = new LmdbStore({ directory });
    for (let transaction = 0; transaction < 8; transaction += 1)
      store.transact((tx) => {
        for (let index = 0; index < 200; index += 1)
          tx.put('tree', keyOf(index), Buffer.alloc(1_000, transaction));
      });
  }
  const whole = join(directory, 'data.mdb');
  const { freePages, lostPages, problems } = runToEnd(whole);
  expect({ lostPages, problems }).toEqual({ lostPages: 0, problems: [] });
  expect(freePages).toBeGreaterThan(0);

  const damaged = (damage: (copy: string) => void): readonly string[] => {
    const copy = join(directory, 'copy');
    copyFileSync(whole, copy);
    damage(copy);
    return runToEnd(copy).problems;
  };
  const { tablesRoot, lastPage } = inspect(whole);
  expect(damaged((copy) => declareFree(copy, lastPage + 1))).toEqual([
    `page ${lastPage + 1} of free is beyond the last page, ${lastPage}`,
  ]);
  const [twice, ...others] = damaged((copy) => declareFree(copy, tablesRoot));
  expect(twice).toContain(`page ${tablesRoot} is used twice: `);
  expect(others).toEqual([]);
  expect(
    damaged((copy) => {
      const bytes = readFileSync(copy);
      writeFileSync(copy, bytes.fill(0, tablesRoot * PAGE_BYTES, (tablesRoot + 1) * PAGE_BYTES));
    }),
  ).toEqual([`page ${tablesRoot} of the table of tables is not a valid page of a tree`]);
});

// With these seeds, lmdb 3.5.6 rejects transactions 37 and 65.
test.each([
  [1, 50],
  [7, 80],
])(
  '[K170] a transaction that uses up the free pages while it is saved is durable (seed %i)',
  (seed, transactions) => {
    const directory = newDirectory();
    const numbers = pseudoRandom(seed);
    const value = (): Buffer => Buffer.alloc(1_800, numbers());
    const longKey = (index: number): Buffer => Buffer.from(`k${String(index).padStart(8, '0')}`);
    {
      using store = new LmdbStore({ directory });
      store.transact((tx) => {
        for (let index = 0; index < 3_000; index += 1) tx.put('tree', longKey(index * 10), value());
      });
    }
    // Each transaction frees so many pages that their list needs pages itself, and needs slightly more than are free.
    for (let transaction = 0; transaction < transactions; transaction += 1) {
      using store = new LmdbStore({ directory });
      store.transact((tx) => {
        for (let left = 220 + (numbers() % 30); left > 0; left -= 1)
          tx.put('tree', longKey((numbers() % 3_000) * 10), value());
        for (let added = numbers() % 6; added > 0; added -= 1)
          tx.put('tree', longKey(1_000_000 + transaction * 100 + added), value());
      });
    }
    expect(runToEnd(join(directory, 'data.mdb'))).toMatchObject({ lostPages: 0, problems: [] });
  },
);

/** Returns a generator of numbers from 0 to 2^24 - 1, the same in every run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}
