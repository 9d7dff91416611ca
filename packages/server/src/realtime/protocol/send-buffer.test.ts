import { PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { must } from '@hearth/core/error/assert.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { FREE_BYTES, findSharedDelivery, SendBuffer, SharedDelivery } from './send-buffer.ts';

const LIMITS = { maxBytes: 100, fullBytes: 10 };
const ROOMY = { maxBytes: 2 ** 30, fullBytes: 10 };

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

test('[L66] a client that takes data counts as alive, and a new delivery does not change that', () => {
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

test('[L89] a delivery that many connections send counts once until the last of them has sent it', () => {
  const pool = openTestPool();
  const bytes = Buffer.alloc(50_000);
  const socket = new PassThrough();
  const senders = Array.from({ length: 1_000 }, () => openSendBuffer(pool));
  for (const sender of senders) {
    expect(sender.accept(bytes.length, 0, findSharedDelivery(bytes, socket))).toBe(true);
    sender.update(bytes.length);
  }
  for (const sender of senders) {
    expect(pool.usage.used).toBe(bytes.length);
    sender.update(0);
  }
  expect(pool.usage.used).toBe(0);
});

test('[L89] a connection is ended if its network has no memory for a delivery that it has to count', () => {
  const pool = new ResourcePool({ total: 200_000, reserve: 0, ofNetwork: 100_000, idleMs: null }, () => 0);
  const delivery = new SharedDelivery(80_000);
  let evicted = 0;
  const evict = (): void => {
    evicted += 1;
  };
  const open = (network: string): SendBuffer => new SendBuffer(ROOMY, pool, { network, evict });
  const [quick, slow] = [open('192.0.2.1'), open('192.0.2.2')];
  for (const sender of [quick, slow]) {
    expect(sender.accept(delivery.bytes, 0, delivery)).toBe(true);
    sender.update(delivery.bytes);
  }
  expect(slow.accept(90_000, delivery.bytes)).toBe(true);
  slow.update(170_000);
  expect(pool.usage.used).toBe(170_000);
  quick.update(0);
  expect(evicted).toBe(1);
});

test('[L89] small deliveries and encrypted ones are not shared between connections', () => {
  const large = Buffer.alloc(FREE_BYTES + 1);
  expect(findSharedDelivery(Buffer.alloc(FREE_BYTES), new PassThrough())).toBeUndefined();
  expect(findSharedDelivery(large, new TLSSocket(new PassThrough()))).toBeUndefined();
  const delivery = findSharedDelivery(large, new PassThrough());
  expect(delivery?.bytes).toBe(large.length);
  expect(findSharedDelivery(large, new PassThrough())).toBe(delivery);
});

interface Sender {
  readonly buffer: SendBuffer;
  /** The waiting deliveries: the bytes of each, and its number if it is shared. */
  readonly waiting: { readonly bytes: number; readonly shared: number | undefined }[];
}

test('[L89] whatever connections send, the pool counts each shared delivery once, and each other delivery for its own connection', () => {
  const steps = fc.array(
    fc.record({ sender: fc.nat(3), shared: fc.option(fc.nat(4), { nil: undefined }), sends: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (list) => {
      const pool = openTestPool();
      const deliveries = [20_000, 30_000, 40_000, 50_000, 60_000].map((bytes) => new SharedDelivery(bytes));
      const senders: Sender[] = Array.from({ length: 4 }, () => ({
        buffer: new SendBuffer(ROOMY, pool, { network: '192.0.2.1', evict: () => undefined }),
        waiting: [],
      }));
      for (const { sender, shared, sends } of list) {
        const { buffer, waiting } = must(senders[sender], 'a sender');
        if (sends) {
          const delivery = shared === undefined ? undefined : deliveries[shared];
          const bytes = delivery?.bytes ?? 17_000;
          expect(buffer.accept(bytes, total(waiting), delivery)).toBe(true);
          // A connection that sends a delivery twice counts the second one itself.
          const isTwice = waiting.some((each) => each.shared === shared);
          waiting.push({ bytes, shared: isTwice ? undefined : shared });
        } else waiting.shift();
        buffer.update(total(waiting));
      }
      const all = senders.flatMap(({ waiting }) => waiting);
      const once = new Map(
        all.filter(({ shared }) => shared !== undefined).map((each) => [each.shared, each]),
      );
      const own = all.filter(({ shared }) => shared === undefined);
      expect(pool.usage.used).toBe(total([...own, ...once.values()]));
      for (const { buffer } of senders) buffer.update(0);
      expect(pool.usage.used).toBe(0);
    }),
  );
});

function total(waiting: readonly { readonly bytes: number }[]): number {
  return waiting.reduce((sum, { bytes }) => sum + bytes, 0);
}
