import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryRecordStore } from './memory-records.fixture.ts';
import { recordViewContract } from './store.contract.ts';
import { decodeRecordKey, encodeRecordKey } from './view.ts';

recordViewContract('durable', async (records, read) => {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (const [path, value] of records) transaction.records('a').write(path, value);
  });
  recordStore.read((view) => read(view.records('a')));
});

recordViewContract('in a transaction', async (records, read) => {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => {
    for (const [path, value] of records) transaction.records('a').write(path, value);
  });
  await recordStore.change((transaction) => {
    const view = transaction.records('a');
    // The view shows the state before the transaction.
    view.write(['own'], true);
    read(view);
  });
});

test('[I1] a change writes to several record stores together, and a change that throws writes nothing', async () => {
  const recordStore = memoryRecordStore();
  const result = await recordStore.change((transaction) => {
    transaction.records('a').write(['x', 'y'], { n: 1, s: 'text', b: false });
    transaction.records('b').write(['z'], 5);
    return 'done';
  });
  expect(result).toBe('done');
  const failure = new Error('no');
  await expect(
    recordStore.change((transaction) => {
      transaction.records('a').write(['x'], null);
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(
    recordStore.read((view) => [view.records('a').find(['x', 'y']), view.records('b').find(['z'])]),
  ).toEqual([{ n: 1, s: 'text', b: false }, 5]);
  expect(recordStore.read((view) => view.records('a').find(['nothing']))).toBeUndefined();
  expect(recordStore.read((view) => view.records('none').find(['x']))).toBeUndefined();
});

test('[I1] a change reads the state before it, and later changes in the same batch read its writes', async () => {
  const recordStore = memoryRecordStore();
  const seen = await Promise.all(
    [1, 2, 3].map((n) =>
      recordStore.change((transaction) => {
        const records = transaction.records('a');
        records.write(['n'], n);
        return records.find(['n']);
      }),
    ),
  );
  expect(seen).toEqual([undefined, 1, 2]);
});

test('[I1] a write to a path and to an ancestor of it throws an error', async () => {
  const recordStore = memoryRecordStore();
  const change = recordStore.change((transaction) => {
    transaction.records('a').write(['x', 'y'], 1);
    transaction.records('a').write(['x'], 1);
  });
  await expect(change).rejects.toThrow('Bug');
  expect(recordStore.read((view) => view.records('a').find(['x']))).toBeUndefined();
});

test('[I2] any text can be the key of a record', async () => {
  const recordStore = memoryRecordStore();
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }), async (text) => {
      fc.pre(text.isWellFormed());
      expect(decodeRecordKey(encodeRecordKey(text))).toBe(text);
      await recordStore.change((transaction) => transaction.records('a').write(['k', text], text));
      expect(recordStore.read((view) => view.records('a').find(['k', text]))).toBe(text);
    }),
    { numRuns: 200 },
  );
});
