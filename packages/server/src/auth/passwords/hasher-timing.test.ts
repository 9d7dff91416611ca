import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FloorStore, TimingPad } from './hasher.ts';

function padAfter(...durationsMs: readonly number[]): TimingPad {
  const pad = new TimingPad();
  for (const durationMs of durationsMs) pad.record(durationMs);
  return pad;
}

test.each([
  ['no slow verification', [], 30, 0],
  ['a slower verification', [80], 30, 50],
  ['several verifications, of which the slowest counts', [80, 300, 90], 30, 270],
  ['a verification of the same duration', [80], 80, 0],
  ['a faster verification', [80], 90, 0],
  ['a verification longer than the maximum delay', [60_000], 30, 970],
  ['sixteen verifications that follow a slow one', [500, ...Array.from({ length: 16 }, () => 40)], 30, 10],
])(
  '[I64] after %s (%j ms), a negative response that took %i ms is delayed by %i ms',
  (_name, slowMs, durationMs, waitMs) => {
    expect(padAfter(...slowMs).remainingMs(durationMs)).toBe(waitMs);
  },
);

/** Keeps the floor in memory. The first `failures` writes fail. */
class MemoryFloor implements FloorStore {
  floorMs = 0;
  #failures: number;

  constructor(failures = 0) {
    this.#failures = failures;
  }

  read(): number {
    return this.floorMs;
  }

  async write(floorMs: number): Promise<void> {
    this.#failures -= 1;
    if (this.#failures >= 0) throw new Error('The disk is full.');
    this.floorMs = floorMs;
  }
}

test('[I691] after a restart, negative responses are delayed as before it', () => {
  const store = new MemoryFloor();
  const pad = new TimingPad(store);
  for (const durationMs of [80, 300, 90]) pad.record(durationMs);
  expect(new TimingPad(store).remainingMs(30)).toBe(270);
});

test('[I691] the delay is stored when it changes by more than a fifth; if that fails, the next verification stores it', async () => {
  const store = new MemoryFloor(1);
  const pad = new TimingPad(store);
  pad.record(100);
  await setImmediate();
  expect(store.floorMs).toBe(0);
  pad.record(110);
  expect(store.floorMs).toBe(110);
  pad.record(130);
  expect(store.floorMs).toBe(110);
  pad.record(140);
  expect(store.floorMs).toBe(140);
  for (let time = 0; time < 16; time += 1) pad.record(20);
  expect(store.floorMs).toBe(20);
});
