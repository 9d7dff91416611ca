import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ChunkQueue } from './chunk-queue.ts';

async function* chunks(): AsyncGenerator<Buffer> {
  for (let count = 0; count < 100; count += 1) yield Buffer.alloc(1_000);
}

test('[H575] a write that stops before the end of its body leaves no listener at its signal', async () => {
  const { signal } = new AbortController();
  const queue = new ChunkQueue(chunks(), 10_000, signal);
  expect((await queue.waitBeyond(0)).length).toBeGreaterThan(0);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  queue.stop();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('[H575] a write whose signal is aborted before it begins fails with the reason', () => {
  const reason = new Error('evicted');
  const queue = new ChunkQueue(chunks(), 10_000, AbortSignal.abort(reason));
  expect(() => queue.throwIfBroken()).toThrow(reason);
});
