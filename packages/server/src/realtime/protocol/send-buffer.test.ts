import { expect, test } from 'vitest';
import { Backlog, SharedBacklog } from './send-buffer.ts';

const LIMITS = { maxBytes: 100, fullBytes: 10 };

test('[L66] one delivery may be of any size, and so many bytes may wait behind it', () => {
  const backlog = new Backlog(LIMITS, new SharedBacklog(10_000));
  expect(backlog.accept(5_000, 0)).toBe(true);
  expect(backlog.accept(60, 5_000)).toBe(true);
  expect(backlog.accept(40, 5_060)).toBe(true);
  expect(backlog.accept(1, 5_100)).toBe(false);
});

test('[L66] a larger delivery may follow a smaller one that waits', () => {
  const backlog = new Backlog(LIMITS, new SharedBacklog(10_000));
  expect(backlog.accept(50, 0)).toBe(true);
  expect(backlog.accept(5_000, 50)).toBe(true);
  expect(backlog.accept(51, 5_050)).toBe(false);
});

test('[L66] many small deliveries that wait are too much together', () => {
  const backlog = new Backlog(LIMITS, new SharedBacklog(10_000));
  let waiting = 0;
  while (backlog.accept(10, waiting)) waiting += 10;
  expect(waiting).toBe(110);
});

test('[L66] all connections together have a bound, which small deliveries do not feel', () => {
  const shared = new SharedBacklog(1_000);
  const [a, b] = [new Backlog(LIMITS, shared), new Backlog(LIMITS, shared)];
  expect(a.accept(900, 0)).toBe(true);
  a.update(900);
  expect(b.accept(200, 0)).toBe(false);
  expect(b.accept(5, 0)).toBe(true);
  a.update(0);
  expect(b.accept(200, 0)).toBe(true);
});

test('[L66] what is gone is not counted', () => {
  const shared = new SharedBacklog(1_000);
  const backlog = new Backlog(LIMITS, shared);
  backlog.accept(900, 0);
  backlog.update(900);
  expect([shared.bytes, backlog.isFull]).toEqual([900, true]);
  backlog.update(0);
  expect([shared.bytes, backlog.isFull]).toEqual([0, false]);
});

test('[L66] taking what was sent is a sign of life, being sent more is not', () => {
  const backlog = new Backlog(LIMITS, new SharedBacklog(10_000));
  backlog.accept(500, 0);
  backlog.update(500);
  expect(backlog.hasProgressed()).toBe(false);
  backlog.update(400);
  expect(backlog.hasProgressed()).toBe(true);
  backlog.accept(50, 400);
  backlog.update(450);
  expect(backlog.hasProgressed()).toBe(false);
});
