import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function linesOf(isTTY: boolean): string[] {
  const lines: string[] = [];
  const logger = createLogger('info', { isTTY, write: (line) => lines.push(line) });
  logger.debug('too quiet');
  logger.warn({ path: '/a b', count: 2 }, 'it happened');
  logger.error({ err: new Error('why', { cause: new Error('deeper') }) }, 'it failed');
  return lines;
}

test('[H52] a log line is one JSON object', () => {
  const lines = linesOf(false).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 40, path: '/a b', count: 2, msg: 'it happened' },
    { level: 50, msg: 'it failed', err: { message: 'why', cause: { message: 'deeper' } } },
  ]);
});

test('[H52] a log line on a terminal is text', () => {
  const [warning, failure] = linesOf(true);
  expect(warning).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN it happened path="\/a b" count=2\n$/);
  expect(failure).toMatch(/ERROR it failed\nError: why\n {4}at /);
});
