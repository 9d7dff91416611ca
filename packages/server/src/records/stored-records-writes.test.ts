import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { memoryRecordStore } from './memory-records.fixture.ts';
import { composeWrites } from './stored-records.ts';

/**
 * Returns the record at `x` after one change to a record store with `x/old=1`. The change has the writes in
 * `writes`, such as `x/a=1 x/b=null`.
 */
async function read(writes: string): Promise<unknown> {
  const recordStore = memoryRecordStore();
  await recordStore.change((transaction) => transaction.records('a').write(['x', 'old'], 1));
  await recordStore.change((transaction) => {
    for (const write of writes.split(' ')) {
      const [location = '', value = ''] = write.split('=');
      transaction.records('a').write(location.split('/'), JSON.parse(value));
    }
  });
  return recordStore.read((view) => view.records('a').find(['x']));
}

test.each([
  ['x=null x/new=2', '{"new":2}'],
  ['x/new=2 x=null', undefined],
  ['x=null x/a/b=2 x/a/c={"d":3} x/e=null', '{"a":{"b":2,"c":{"d":3}}}'],
  ['x=null x/a=null x/a/b=2', '{"a":{"b":2}}'],
  ['x=null x/a/b=2 x/a=null x/c=3', '{"c":3}'],
  ['x=null x/a=1 x/a=2', '{"a":2}'],
  ['x=null x/a=1 x=null', undefined],
  ['x/a=1 x=null x/b=2', '{"b":2}'],
  ['x=null x/__proto__/a=1', '{"__proto__":{"a":1}}'],
])('[I560] the writes %s leave %s', async (writes, left) => {
  const found = await read(writes);
  expect(found === undefined ? undefined : JSON.stringify(found)).toBe(left);
});

test('[I560] no write of a composed change is at an ancestor of another one', () => {
  const writes = composeWrites([
    { path: parsePath('/x'), value: undefined },
    { path: parsePath('/x/a'), value: 1 },
    { path: parsePath('/y/b'), value: undefined },
  ]);
  expect(writes.map(({ path }) => path.join('/'))).toEqual(['y/b', 'x']);
});

test.each(['x=1 x/a=2', 'x/a=2 x={"b":1}'])('[I1] the writes %s throw an error', async (writes) => {
  await expect(read(writes)).rejects.toThrow('Bug');
});
