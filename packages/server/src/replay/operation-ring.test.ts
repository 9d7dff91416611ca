import { NO_QUERY } from '@hearth/core/rules/query-variables.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { OperationRing } from './operation-ring.ts';
import type { RecordedOperation } from './recorded-operation.ts';

function operation(timeMs: number, bytes = 10): RecordedOperation {
  return { kind: 'read', auth: null, timeMs, bytes, path: parsePath('a'), query: NO_QUERY };
}

function times(ring: OperationRing): readonly number[] {
  return ring.operations.map(({ timeMs }) => timeMs);
}

test('[R181] the oldest operations give way when there are too many, or too many bytes', () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  for (const timeMs of [1, 2, 3, 4]) ring.add(operation(timeMs));
  expect(times(ring)).toEqual([2, 3, 4]);
  ring.add(operation(5, 85));
  expect(times(ring)).toEqual([4, 5]);
  ring.add(operation(6, 101));
  expect(times(ring)).toEqual([]);
  expect(ring.bytes).toBe(0);
});

test('[R188] what is taken back is gone, and only once', () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  ring.add(operation(1));
  const second = operation(2);
  ring.add(second);
  ring.remove(second);
  ring.remove(second);
  expect(times(ring)).toEqual([1]);
  expect(ring.bytes).toBe(10);
});
