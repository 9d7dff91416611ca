import { expect, test } from 'vitest';
import { EventLoopWatch } from './event-loop-watch.ts';
import { createLogger } from './logger.ts';

/** Returns a watch, the lines that it logs, and a function that advances its clocks. */
function openWatch() {
  const time = { ms: 0, cpuMs: 0 };
  const lines: Readonly<Record<string, unknown>>[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const watch = new EventLoopWatch({ elapsedMs: () => time.ms, threadCpuMs: () => time.cpuMs, logger });
  const pass = (ms: number, cpuMs = 0): void => {
    time.ms += ms;
    time.cpuMs += cpuMs;
    watch.tick();
  };
  return { watch, lines, pass };
}

test('[H551] a block of the event loop of more than 50 ms is logged with the longest work', () => {
  const { watch, lines, pass } = openWatch();
  watch.record('short work', 4);
  watch.record('a transaction of 3 tasks', 12);
  watch.record('garbage collection', 80);
  pass(130, 95);
  expect(watch.figures).toEqual({ longestDelayMs: 110, longDelays: 1 });
  expect(lines).toMatchObject([
    {
      delayMs: 110,
      cpuMs: 95,
      omitted: 0,
      work: [
        { what: 'garbage collection', ms: 80 },
        { what: 'a transaction of 3 tasks', ms: 12 },
      ],
    },
  ]);
});

test('[H551] work belongs to the block in which it ran, and a block of 50 ms is not long', () => {
  const { watch, lines, pass } = openWatch();
  watch.record('early work', 30);
  pass(70);
  pass(100, 40);
  expect(watch.figures.longDelays).toBe(1);
  expect(lines).toMatchObject([{ delayMs: 80, cpuMs: 40, work: [] }]);
});

test('[H551] at most one line is logged each second, and it says how many blocks were omitted', () => {
  const { watch, lines, pass } = openWatch();
  for (let count = 0; count < 20; count++) pass(100, 90);
  expect(watch.figures.longDelays).toBe(20);
  expect(lines.map(({ omitted }) => omitted)).toEqual([0, 9]);
});

test('[H551] a delay in which the server did nothing is counted, but not logged', () => {
  const { watch, lines, pass } = openWatch();
  pass(400, 24);
  expect([watch.figures.longDelays, lines]).toEqual([1, []]);
});

test('[H450] the longest delay is that of the last 15 seconds', () => {
  const { watch, pass } = openWatch();
  pass(320);
  for (let second = 0; second < 14; second++) pass(1_020);
  expect(watch.figures.longestDelayMs).toBe(1_000);
  for (let count = 0; count < 800; count++) pass(20);
  expect(watch.figures.longestDelayMs).toBe(0);
});
