import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { MemoryGuard, observeCollections } from './memory-guard.ts';
import { openTestPool } from './pools.fixture.ts';
import type { ResourcePool } from './resource-pool.ts';

const MIB = 2 ** 20;
const MAX_BYTES = 1_000 * MIB;

/** Takes MiB of a pool for named peers. Returns the names of those that were evicted. */
function fill(pool: ResourcePool, held: Readonly<Record<string, number>>): readonly string[] {
  const evicted: string[] = [];
  for (const [name, mib] of Object.entries(held))
    pool.take({ network: name, isPrivileged: false }, mib * MIB, () => void evicted.push(name));
  return evicted;
}

function openGuard(usedMib: number, pools: readonly ResourcePool[]) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const guard = new MemoryGuard({
    readHeap: () => ({ usedBytes: usedMib * MIB, maxBytes: MAX_BYTES }),
    pools,
    logger,
  });
  return { guard, lines };
}

test('[H552] when the heap is nearly full, the clients that hold the most end until a twentieth of the heap is returned', () => {
  const [listens, messages] = [openTestPool(MAX_BYTES), openTestPool(MAX_BYTES)];
  const ended = [fill(listens, { a: 30, b: 5 }), fill(messages, { c: 25, d: 10 })];
  const { guard, lines } = openGuard(851, [listens, messages]);
  guard.check();
  expect(ended).toEqual([['a'], ['c']]);
  expect(lines).toMatchObject([{ usedBytes: 851 * MIB, ended: 2, returnedBytes: 55 * MIB }]);
});

test('[H552] while enough of the heap is free, no client ends', () => {
  const pool = openTestPool(MAX_BYTES);
  const ended = fill(pool, { a: 500 });
  const { guard, lines } = openGuard(850, [pool]);
  guard.check();
  expect([ended, lines]).toEqual([[], []]);
});

test('[H552] one check ends at most 16 clients, the largest first, and none that holds less than 256 KiB', () => {
  const pool = openTestPool(MAX_BYTES);
  const sizes = Array.from({ length: 20 }, (_, index) => [`n${index}`, 1 + index / 100] as const);
  const ended = fill(pool, { ...Object.fromEntries(sizes), small: 0.2 });
  const { guard, lines } = openGuard(900, [pool]);
  guard.check();
  expect(ended).toEqual(
    sizes
      .slice(4)
      .map(([name]) => name)
      .toReversed(),
  );
  guard.check();
  guard.check();
  expect(ended).toHaveLength(20);
  expect(ended).not.toContain('small');
  expect(lines.map(({ ended: count }) => count)).toEqual([16, 4, 0]);
});

test('[H552] when the heap is nearly full and clients hold nothing, the log says that memory is scarce', () => {
  const { guard, lines } = openGuard(999, [openTestPool(MAX_BYTES)]);
  guard.check();
  expect(lines).toMatchObject([{ ended: 0, returnedBytes: 0 }]);
});

test('[H552] garbage collections are observed', async () => {
  const durations: number[] = [];
  const observer = observeCollections(({ ms }) => durations.push(ms));
  const garbage: object[][] = [];
  for (let count = 0; count < 200; count++)
    garbage.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  await expect.poll(() => durations.length).toBeGreaterThan(0);
  observer[Symbol.dispose]();
});
