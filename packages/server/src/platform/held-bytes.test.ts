import { expect, test } from 'vitest';
import { HeldBytes } from './held-bytes.ts';
import { openTestPool } from './pools.fixture.ts';

test('[H547] an amount below the threshold is not counted, and a larger one is counted from its first byte', () => {
  const pool = openTestPool(100);
  const held = new HeldBytes(pool, { network: 'n1', evict: () => undefined }, 10);
  expect([held.hold(10), pool.usage]).toMatchObject([true, { used: 0, networks: 0 }]);
  expect([held.hold(11), pool.usage]).toMatchObject([true, { used: 11, networks: 1 }]);
  expect([held.hold(10), pool.usage]).toMatchObject([true, { used: 0, networks: 0 }]);
});

test('[H547] a peer keeps what it holds when a request for more is rejected', () => {
  const pool = openTestPool(100);
  const held = new HeldBytes(pool, { network: 'n1', evict: () => undefined }, 10);
  expect([held.hold(200), pool.usage]).toMatchObject([false, { used: 0, networks: 0 }]);
  expect(held.hold(60)).toBe(true);
  expect([held.hold(200), pool.usage.used]).toEqual([false, 60]);
});

test('[H547] the bytes that an evicted peer still holds are not counted, and can only decrease', () => {
  const pool = openTestPool(100);
  let evictions = 0;
  const held = new HeldBytes(pool, { network: 'n1', evict: () => void evictions++ }, 10);
  held.hold(60);
  const other = new HeldBytes(pool, { network: 'n2', evict: () => undefined }, 10);
  expect([other.hold(50), evictions, pool.usage.used]).toEqual([true, 1, 50]);
  expect([held.hold(40), held.hold(41), held.hold(10), evictions, pool.usage.used]).toEqual([
    true,
    false,
    true,
    1,
    50,
  ]);
});

test('[H547] a peer whose new part evicts another part of its own holds neither', () => {
  const pool = openTestPool(100);
  const parts: HeldBytes[] = [];
  const peer = { network: 'n1', evict: () => parts.forEach((part) => void part.hold(0)) };
  parts.push(new HeldBytes(pool, peer, 0), new HeldBytes(pool, peer, 0));
  parts[0]?.hold(60);
  expect(parts[1]?.hold(50)).toBe(false);
  expect(pool.usage).toMatchObject({ used: 0, networks: 0 });
});
