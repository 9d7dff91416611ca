import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { paintFor } from './terminal.ts';

/** What a terminal of so many colours gets, as a power of two. */
function painted(isTTY: boolean, depth: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY, getColorDepth: () => depth });
  return paintFor(stream)('red', 'denied');
}

test('[H283] a terminal gets colours, a file and a terminal without colours get none', () => {
  expect(painted(true, 8)).toBe('\u001b[31mdenied\u001b[39m');
  expect(painted(true, 1)).toBe('denied');
  expect(painted(false, 8)).toBe('denied');
});
