import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { paintFor } from './terminal.ts';

/** Returns the text that a stream with this color depth, in bits, gets. */
function painted(isTTY: boolean, depth: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY, getColorDepth: () => depth });
  return paintFor(stream)('red', 'denied');
}

test('[H283] a terminal with colors gets colored text; a file and a terminal without colors get plain text', () => {
  expect(painted(true, 8)).toBe('\u001b[31mdenied\u001b[39m');
  expect(painted(true, 1)).toBe('denied');
  expect(painted(false, 8)).toBe('denied');
});
