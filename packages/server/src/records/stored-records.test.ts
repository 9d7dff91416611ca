import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryRecordStore } from './memory-records.fixture.ts';
import { decodeRecordKey, encodeRecordKey } from './view.ts';

test('[I1] a change writes to several record stores at once, and a change that throws writes nothing', async () => {
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

test('[I2] records are listed in order, in either direction, between keys and by prefix', async () => {
  const recordStore = memoryRecordStore();
  const names = ['a.b@x', 'a.c@x', 'ab@x', 'b@x', '1@x', '12@x'];
  await recordStore.change((transaction) => {
    for (const name of names) transaction.records('a').write(['e', name], true);
  });
  const list = (range: object): readonly string[] =>
    recordStore.read((view) =>
      view
        .records('a')
        .list(['e'], { limit: 10, ...range })
        .map(({ key }) => key),
    );
  expect(list({})).toEqual(['12@x', '1@x', 'a.b@x', 'a.c@x', 'ab@x', 'b@x']);
  expect(list({ prefix: 'a.' })).toEqual(['a.b@x', 'a.c@x']);
  expect(list({ prefix: '1' })).toEqual(['12@x', '1@x']);
  expect(list({ after: 'a.b@x', before: 'b@x' })).toEqual(['a.c@x', 'ab@x']);
  expect(list({ isReversed: true, limit: 2 })).toEqual(['b@x', 'ab@x']);
  expect(list({ from: 'ab@x', limit: 1 })).toEqual(['ab@x']);
});

test('[I2] a path that no record can have has no record', async () => {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => transaction.records('a').write(['k', 'x'], 1));
  for (const name of ['', 'x'.repeat(769), '.'.repeat(257)])
    recordStore.read((view) => {
      const records = view.records('a');
      expect(records.find(['k', name])).toBeUndefined();
      expect(records.list(['k', name], { limit: 1 })).toEqual([]);
      expect(records.listKeys(['k'], { prefix: name, limit: 1 })).toEqual(name === '' ? ['x'] : []);
    });
  for (const name of ['x'.repeat(768), '.'.repeat(256)]) {
    await recordStore.change((transaction) => transaction.records('a').write(['k', name], 1));
    expect(recordStore.read((view) => view.records('a').find(['k', name]))).toBe(1);
  }
});
