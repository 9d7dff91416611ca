import { expect, test } from 'vitest';
import { openTestPool } from '../../platform/pools.fixture.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { FREE_BYTES, SendBuffer } from './send-buffer.ts';

const LIMITS = { maxBytes: 100, fullBytes: 10 };

function openSendBuffer(pool: ResourcePool = openTestPool(), evict = () => undefined): SendBuffer {
  return new SendBuffer(LIMITS, pool, { network: '192.0.2.1', evict });
}

test('[L66] one delivery may have any size, and a limited number of bytes may wait behind it', () => {
  const sendBuffer = openSendBuffer();
  expect(sendBuffer.accept(5_000, 0)).toBe(true);
  expect(sendBuffer.accept(60, 5_000)).toBe(true);
  expect(sendBuffer.accept(40, 5_060)).toBe(true);
  expect(sendBuffer.accept(1, 5_100)).toBe(false);
});

test('[L66] a larger delivery may follow a waiting smaller one', () => {
  const sendBuffer = openSendBuffer();
  expect(sendBuffer.accept(50, 0)).toBe(true);
  expect(sendBuffer.accept(5_000, 50)).toBe(true);
  expect(sendBuffer.accept(51, 5_050)).toBe(false);
});

test('[L66] many small waiting deliveries exceed the limit together', () => {
  const sendBuffer = openSendBuffer();
  let waiting = 0;
  while (sendBuffer.accept(10, waiting)) waiting += 10;
  expect(waiting).toBe(110);
});

test('[L66][H547] all connections share a limit, from which small deliveries are exempt', () => {
  const shared = openTestPool(100_000);
  const [a, b] = [openSendBuffer(shared), openSendBuffer(shared)];
  expect(a.accept(90_000, 0)).toBe(true);
  a.update(90_000);
  expect(b.accept(FREE_BYTES, 0)).toBe(true);
  a.update(0);
  expect(b.accept(90_000, 0)).toBe(true);
});

test('[L66][H547] the connection that holds the most is evicted in favor of one that holds less', () => {
  const shared = openTestPool(100_000);
  let evicted = 0;
  const slow = openSendBuffer(shared, () => {
    evicted += 1;
  });
  expect(slow.accept(60_000, 0)).toBe(true);
  expect(openSendBuffer(shared).accept(70_000, 0)).toBe(false);
  expect(evicted).toBe(0);
  expect(openSendBuffer(shared).accept(50_000, 0)).toBe(true);
  expect(evicted).toBe(1);
});

test('[L66] sent deliveries are not counted', () => {
  const shared = openTestPool(100_000);
  const sendBuffer = openSendBuffer(shared);
  sendBuffer.accept(90_000, 0);
  sendBuffer.update(90_000);
  expect([shared.usage.used, sendBuffer.isFull]).toEqual([90_000, true]);
  sendBuffer.update(0);
  expect([shared.usage.used, sendBuffer.isFull]).toEqual([0, false]);
});

test('[L66] data that the client has taken is a sign of life, and a new delivery is not', () => {
  const sendBuffer = openSendBuffer();
  sendBuffer.accept(500, 0);
  sendBuffer.update(500);
  expect(sendBuffer.hasProgressed()).toBe(false);
  sendBuffer.update(400);
  expect(sendBuffer.hasProgressed()).toBe(true);
  sendBuffer.accept(50, 400);
  sendBuffer.update(450);
  expect(sendBuffer.hasProgressed()).toBe(false);
});
