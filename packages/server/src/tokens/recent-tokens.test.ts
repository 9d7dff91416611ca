import { expect, test } from 'vitest';
import { RecentTokens } from './recent-tokens.ts';

test('[I100] the token that was not asked for the longest makes room', () => {
  const recent = new RecentTokens<number>(2, 10);
  recent.keep('a', 1);
  recent.keep('b', 2);
  expect(recent.find('a')).toBe(1);
  recent.keep('c', 3);
  expect([recent.find('a'), recent.find('b'), recent.find('c')]).toEqual([1, undefined, 3]);
  recent.keep('c', 4);
  expect([recent.size, recent.find('a'), recent.find('c')]).toEqual([2, 1, 4]);
});

test('[I100] long tokens are not kept, nor forgotten ones', () => {
  const recent = new RecentTokens<number>(2, 10);
  recent.keep('x'.repeat(11), 1);
  recent.keep('y'.repeat(10), 2);
  recent.forget('y'.repeat(10));
  expect(recent.size).toBe(0);
});
