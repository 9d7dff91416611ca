import { expect, test } from 'vitest';
import { releasablePartsContract } from '../../http/byte-parts.contract.ts';
import { openTestPool, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { ReadLane } from '../database/snapshot-read.ts';
import { type LongRead, LongReadParts, measureSubtree } from './long-read.ts';

/** Creates a clock that advances by one millisecond on each call. */
function tickingClock() {
  let ms = 0;
  return { nowMs: () => 0, elapsedMs: () => ms++ };
}

/** Creates a read of `steps` steps. Each step calls `isOver` until it returns true. */
function readOf(steps: number): LongRead & { readonly taken: () => number } {
  let taken = 0;
  return {
    taken: () => taken,
    step(_tx, isOver) {
      while (!isOver());
      taken += 1;
      return { lines: '', isDone: taken >= steps };
    },
    progressLine: () => `progress ${taken}\n`,
    doneLine: () => `done ${taken}\n`,
  };
}

function openParts(read: LongRead, lane = new ReadLane()) {
  const ended: string[] = [];
  const store = new MemoryStore();
  const parts = new LongReadParts({
    store,
    clock: tickingClock(),
    lane,
    read,
    place: openTestPool().open(TEST_HOLDER, () => undefined),
    onEnd: () => ended.push('end'),
  });
  return { parts, ended };
}

async function textOf(parts: LongReadParts): Promise<string> {
  let text = '';
  for await (const part of parts) text += part.toString();
  return text;
}

releasablePartsContract('long read', async () => {
  const { parts, ended } = openParts(readOf(1_000));
  return { parts, releases: () => ended.length };
});

test('[H210] progress is sent every 250 ms, and the end immediately', async () => {
  const { parts, ended } = openParts(readOf(100));
  const lines = (await textOf(parts)).split('\n').slice(0, -1);
  expect(lines.at(-1)).toBe('done 100');
  const reported = lines.slice(0, -1).map((line) => Number(line.slice('progress '.length)));
  expect(reported.length).toBeGreaterThan(1);
  const gaps = reported.map((step, index) => step - (reported[index - 1] ?? 0));
  // One step, including the calls around it, takes about 7 ms of this clock.
  for (const gap of gaps) expect(gap).toBeGreaterThan(20);
  expect(ended).toEqual(['end']);
});

test('[H211] other work runs between any two steps of all long reads', async () => {
  const lane = new ReadLane();
  /** The iteration of the event loop in which each step ran. */
  const iterations: number[] = [];
  let iteration = 0;
  let isRunning = true;
  const nextLoopIteration = (): void => {
    iteration += 1;
    if (isRunning) setImmediate(nextLoopIteration);
  };
  setImmediate(nextLoopIteration);
  const reads = [readOf(20), readOf(20)].map(
    (read): LongRead => ({
      ...read,
      step(tx, isOver) {
        iterations.push(iteration);
        return read.step(tx, isOver);
      },
    }),
  );
  await Promise.all(reads.map((read) => textOf(openParts(read, lane).parts)));
  isRunning = false;
  expect(iterations).toHaveLength(40);
  expect(new Set(iterations).size).toBe(40);
});

test('[H211] nothing is read before a line is requested, nor after the reader returns', async () => {
  const read = readOf(1_000_000);
  const { parts, ended } = openParts(read);
  expect(read.taken()).toBe(0);
  const first = await parts.next();
  const taken = read.taken();
  expect(first.done).toBe(false);
  const pending = parts.next();
  await parts.return();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(read.taken()).toBe(taken);
  expect(await parts.next()).toEqual({ done: true, value: undefined });
  expect(ended).toEqual(['end']);
});

test('[H211] a read that fails ends, and its reader receives the error', async () => {
  const read = readOf(10);
  const failing: LongRead = {
    ...read,
    step: () => {
      throw new Error('on purpose');
    },
  };
  const { parts, ended } = openParts(failing);
  await expect(parts.next()).rejects.toThrow('on purpose');
  expect(await parts.next()).toEqual({ done: true, value: undefined });
  expect(ended).toEqual(['end']);
  await expect(openParts(readOf(1)).parts.throw(new Error('gone'))).rejects.toThrow('gone');
});

test('[H212][H213] a stopped read notifies its reader, even if the reader requests nothing', () => {
  const { parts, ended } = openParts(measureSubtree({ holder: 1, indexesAt: () => [] }, []));
  expect(parts.broken.aborted).toBe(false);
  parts.stop();
  expect(parts.broken.aborted).toBe(true);
  expect(ended).toEqual(['end']);
});
