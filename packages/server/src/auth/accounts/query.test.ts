import { expect, test } from 'vitest';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import { readInSteps, type StepOptions, takeRows } from './query.ts';

const NAMES = Array.from({ length: 900 }, (_, n) => `${n % 3 === 0 ? 'b' : 'a'}${n}@x`).toSorted();

test.each<readonly [StepOptions, number, number]>([
  [{}, 0, 1_000],
  [{}, 240, 20],
  [{ isReversed: true }, 260, 500],
  [{ prefix: 'b' }, 0, 1_000],
  [{ prefix: 'b', isReversed: true }, 249, 3],
  [{ prefix: 'a' }, 599, 10],
  [{ prefix: 'a', isReversed: true }, 0, 600],
  [{ prefix: 'c' }, 0, 10],
  [{}, 2_000, 10],
])(
  '[I296][I297] with %j, offset %i and limit %i, the rows are the same as in the whole list',
  async (options, offset, limit) => {
    const recordStore = memoryRecordStore();
    await recordStore.change((transaction) => {
      for (const name of NAMES) transaction.records('b').write(['e', name], name);
    });
    const { prefix = '', isReversed = false } = options;
    const fitting = NAMES.filter((name) => name.startsWith(prefix));
    const expected = (isReversed ? fitting.toReversed() : fitting).slice(offset, offset + limit);
    const rows = await takeRows(readInSteps(recordStore, 'b', ['e'], options), offset, limit);
    expect(rows.map(({ key }) => key)).toEqual(expected);
  },
);
