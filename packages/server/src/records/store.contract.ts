import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordPath, RecordView, RowRange } from './store.ts';

/** Creates a record store with these records, and passes a view of it to `read`. */
export type OpenRecords = (
  records: readonly (readonly [path: RecordPath, value: unknown])[],
  read: (view: RecordView) => void,
) => Promise<void>;

const NAMES = ['a.b@x', 'a.c@x', 'ab@x', 'b@x', '1@x', '12@x'];
const ALL = { limit: 100 };

/** Declares the tests that every view of a record store must pass. */
export function recordViewContract(name: string, open: OpenRecords): void {
  describe(`record view contract: ${name}`, () => {
    test('[I1] a record is JSON, each part of a record has a path, and lists are returned as objects', async () => {
      const value = { n: 1, text: 'é😀', no: null, b: false, list: ['x', { y: 2 }], empty: {} };
      await open([[['k', 'one'], value]], (view) => {
        const stored = { n: 1, text: 'é😀', b: false, list: { 0: 'x', 1: { y: 2 } } };
        for (let round = 0; round < 2; round += 1) {
          expect(view.find(['k', 'one'])).toEqual(stored);
          expect(view.find(['k', 'one', 'list', '1', 'y'])).toBe(2);
          expect(view.find(['k'])).toEqual({ one: stored });
          expect(view.find([])).toEqual({ k: { one: stored } });
        }
      });
    });

    test('[I2] nothing is found at a path without a record, or at a path that no record can have', async () => {
      await open([[['k', 'x'], 1]], (view) => {
        for (const path of [
          ['k', 'y'],
          ['k', 'x', 'y'],
          ['none'],
          ['__proto__'],
          ['constructor'],
          ['k', ''],
        ]) {
          expect(view.find(path)).toBeUndefined();
          expect(view.find(path)).toBeUndefined();
          expect(view.list(path, ALL)).toEqual([]);
          expect(view.listKeys(path, ALL)).toEqual([]);
        }
        for (const long of ['', 'x'.repeat(769), '.'.repeat(257)]) {
          expect(view.find(['k', long])).toBeUndefined();
          expect(view.list(['k', long], { limit: 1 })).toEqual([]);
          expect(view.listKeys(['k'], { prefix: long, limit: 1 })).toEqual(long === '' ? ['x'] : []);
        }
      });
    });

    test('[I2] any text is the key of a record, up to the longest that fits', async () => {
      const texts = [
        '.',
        '%',
        '%2E',
        '%25',
        'a/b',
        '#$[]',
        '\u0000\u001f\u007f',
        '😀',
        ' ',
        'x'.repeat(768),
        '.'.repeat(256),
      ];
      await open(
        texts.map((text) => [['k', text], text] as const),
        (view) => {
          for (const text of texts) expect(view.find(['k', text])).toBe(text);
          const rows = view.list(['k'], ALL);
          expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(texts));
          for (const { key, value } of rows) expect(value).toBe(key);
        },
      );
    });

    test.each<[Partial<RowRange>, readonly string[]]>([
      [{}, ['12@x', '1@x', 'a.b@x', 'a.c@x', 'ab@x', 'b@x']],
      [{ prefix: 'a.' }, ['a.b@x', 'a.c@x']],
      [{ prefix: '1' }, ['12@x', '1@x']],
      [{ prefix: 'b@x' }, ['b@x']],
      [{ prefix: 'z' }, []],
      [{ after: 'a.b@x', before: 'b@x' }, ['a.c@x', 'ab@x']],
      [{ after: 'b@x' }, []],
      [{ before: '12@x' }, []],
      [{ from: 'ab@x', limit: 1 }, ['ab@x']],
      [{ from: 'ab@x', before: 'ab@x' }, []],
      [{ isReversed: true, limit: 2 }, ['b@x', 'ab@x']],
      [{ isReversed: true, after: 'a.c@x' }, ['b@x', 'ab@x']],
      [{ limit: 0 }, []],
      [{ limit: -1 }, []],
    ])('[I2] records in the range %j are listed in key order', async (range, expected) => {
      await open(
        NAMES.map((key) => [['e', key], { of: key }] as const),
        (view) => {
          expect(view.listKeys(['e'], { ...ALL, ...range })).toEqual(expected);
          expect(view.list(['e'], { ...ALL, ...range })).toEqual(
            expected.map((key) => ({ key, value: { of: key } })),
          );
        },
      );
    });

    test('[I2] keys that are 32-bit integers come first, in numeric order', async () => {
      const numbers = ['10', '9', '-1', '0', '2', 'a', '1a', '2147483648'];
      await open(
        numbers.map((key) => [['n', key], 1] as const),
        (view) =>
          expect(view.listKeys(['n'], ALL)).toEqual(['-1', '0', '2', '9', '10', '1a', '2147483648', 'a']),
      );
    });

    test('[I2] pages that continue after the last key contain each record once', async () => {
      const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(
          keys,
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          async (texts, limit, isReversed) => {
            await open(
              texts.map((key) => [['p', key], 1] as const),
              (view) => {
                const whole = view.listKeys(['p'], { ...ALL, isReversed });
                expect([...whole].sort()).toEqual([...texts].sort());
                const paged: string[] = [];
                for (;;) {
                  const last = paged.at(-1);
                  const bound = last === undefined ? {} : isReversed ? { before: last } : { after: last };
                  const page = view.listKeys(['p'], { ...bound, limit, isReversed });
                  if (page.length === 0) break;
                  paged.push(...page);
                }
                expect(paged).toEqual(whole);
              },
            );
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}
