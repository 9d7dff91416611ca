import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../platform/collect-garbage.fixture.ts';
import { OperationRing, type RecordedOperation } from './recording.ts';

function operation(timeMs: number, bytes = 10): RecordedOperation {
  return { kind: 'read', auth: null, timeMs, bytes, path: parsePath('a'), query: NO_QUERY };
}

/** Adds an operation. A separate function, so that no stack frame of the test refers to the operation. */
function addWatched(ring: OperationRing): WeakRef<RecordedOperation> {
  const added = operation(1);
  ring.add(added);
  return new WeakRef(added);
}

function times(ring: OperationRing): readonly number[] {
  return ring.operations.map(({ timeMs }) => timeMs);
}

test('[R181] the oldest operations are removed when there are too many, or too many bytes', () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  for (const timeMs of [1, 2, 3, 4]) ring.add(operation(timeMs));
  expect(times(ring)).toEqual([2, 3, 4]);
  ring.add(operation(5, 85));
  expect(times(ring)).toEqual([4, 5]);
  ring.add(operation(6, 101));
  expect(times(ring)).toEqual([]);
  expect(ring.bytes).toBe(0);
});

test('[R181] a removed operation takes no memory', async () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  const watched = addWatched(ring);
  // The targets of weak references stay alive until the end of the job that created the references.
  await new Promise(setImmediate);
  collectGarbage('all');
  expect(watched.deref()?.timeMs).toBe(1);
  await new Promise(setImmediate);
  ring.add(operation(2, 100));
  collectGarbage('all');
  expect(watched.deref()).toBeUndefined();
  expect(times(ring)).toEqual([2]);
});

test('[R188] rolling back an operation has no effect if the operation was already removed to make space', () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  const first = operation(1);
  ring.add(first);
  ring.add(operation(2, 100));
  ring.remove(first);
  expect(times(ring)).toEqual([2]);
  expect(ring.bytes).toBe(100);
});

test('[R188] rolling back an operation removes it, and a second rollback has no effect', () => {
  const ring = new OperationRing({ count: 3, bytes: 100 });
  ring.add(operation(1));
  const second = operation(2);
  ring.add(second);
  ring.remove(second);
  ring.remove(second);
  expect(times(ring)).toEqual([1]);
  expect(ring.bytes).toBe(10);
});
