import { expect, test } from 'vitest';
import { SendBuffer, SendBufferBudget } from './send-buffer.ts';

const LIMITS = { maxBytes: 100, fullBytes: 10 };

test('[L66] one delivery may have any size, and a limited number of bytes may wait behind it', () => {
  const sendBuffer = new SendBuffer(LIMITS, new SendBufferBudget(10_000));
  expect(sendBuffer.accept(5_000, 0)).toBe(true);
  expect(sendBuffer.accept(60, 5_000)).toBe(true);
  expect(sendBuffer.accept(40, 5_060)).toBe(true);
  expect(sendBuffer.accept(1, 5_100)).toBe(false);
});

test('[L66] a larger delivery may follow a waiting smaller one', () => {
  const sendBuffer = new SendBuffer(LIMITS, new SendBufferBudget(10_000));
  expect(sendBuffer.accept(50, 0)).toBe(true);
  expect(sendBuffer.accept(5_000, 50)).toBe(true);
  expect(sendBuffer.accept(51, 5_050)).toBe(false);
});

test('[L66] many small waiting deliveries exceed the limit together', () => {
  const sendBuffer = new SendBuffer(LIMITS, new SendBufferBudget(10_000));
  let waiting = 0;
  while (sendBuffer.accept(10, waiting)) waiting += 10;
  expect(waiting).toBe(110);
});

test('[L66] all connections share a limit, from which small deliveries are exempt', () => {
  const shared = new SendBufferBudget(1_000);
  const [a, b] = [new SendBuffer(LIMITS, shared), new SendBuffer(LIMITS, shared)];
  expect(a.accept(900, 0)).toBe(true);
  a.update(900);
  expect(b.accept(200, 0)).toBe(false);
  expect(b.accept(5, 0)).toBe(true);
  a.update(0);
  expect(b.accept(200, 0)).toBe(true);
});

test('[L66] sent deliveries are not counted', () => {
  const shared = new SendBufferBudget(1_000);
  const sendBuffer = new SendBuffer(LIMITS, shared);
  sendBuffer.accept(900, 0);
  sendBuffer.update(900);
  expect([shared.bytes, sendBuffer.isFull]).toEqual([900, true]);
  sendBuffer.update(0);
  expect([shared.bytes, sendBuffer.isFull]).toEqual([0, false]);
});

test('[L66] received data is a sign of life, and further sent data is not', () => {
  const sendBuffer = new SendBuffer(LIMITS, new SendBufferBudget(10_000));
  sendBuffer.accept(500, 0);
  sendBuffer.update(500);
  expect(sendBuffer.hasProgressed()).toBe(false);
  sendBuffer.update(400);
  expect(sendBuffer.hasProgressed()).toBe(true);
  sendBuffer.accept(50, 400);
  sendBuffer.update(450);
  expect(sendBuffer.hasProgressed()).toBe(false);
});
