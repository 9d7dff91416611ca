import { expect, test } from 'vitest';
import { formatSeconds, Progress } from './progress.ts';

const MB = 2 ** 20;

/** Returns the output for an operation that completes 50 MB within 10 s. */
function show(stream: { readonly isTTY?: boolean; readonly columns?: number }, totalBytes?: number): string {
  let nowMs = 0;
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  {
    using progress = new Progress({
      label: 'Exporting',
      stream: { ...stream, write },
      elapsedMs: () => nowMs,
    });
    progress.bytes(0, totalBytes);
    for (nowMs = 1_000; nowMs <= 10_000; nowMs += 1_000) progress.bytes((nowMs / 200) * MB, totalBytes);
  }
  return text;
}

test('[H197] a terminal shows a moving bar, which is erased at the end', () => {
  const text = show({ isTTY: true }, 100 * MB);
  const shown = text.split('\r\u001b[K');
  expect(shown).toHaveLength(12);
  expect(shown.slice(-2)).toEqual([
    'Exporting  [###########----------]  50%  50.0 MB of 100 MB  5.0 MB/s  10 s left',
    '',
  ]);
});

test('[H197] a narrow terminal shows the text without the bar', () => {
  expect(show({ isTTY: true, columns: 56 }, 100 * MB)).toContain(
    'Exporting  50%  50.0 MB of 100 MB  5.0 MB/s  10 s left\r',
  );
  expect(show({ isTTY: true, columns: 20 }, 100 * MB)).toContain('Exporting  50%  50.\r');
});

test('[H197] any other stream gets a line every few seconds', () => {
  expect(show({}, 100 * MB)).toBe(
    'Exporting  15%  15.0 MB of 100 MB  5.0 MB/s  17 s left\n' +
      'Exporting  30%  30.0 MB of 100 MB  5.0 MB/s  14 s left\n' +
      'Exporting  45%  45.0 MB of 100 MB  5.0 MB/s  11 s left\n',
  );
  expect(show({})).toMatch(/^Exporting {2}15\.0 MB {2}5\.0 MB\/s\n/);
});

test.each([
  [0.1, '1 s'],
  [59, '59 s'],
  [61, '1 min 1 s'],
  [7_300, '2 h 1 min'],
])('%d seconds are formatted as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});
