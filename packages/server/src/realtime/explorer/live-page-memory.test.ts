import { expect, test } from 'vitest';
import { type PageReading, PageReadings } from './live-page.ts';

function readingOf(text: string): PageReading {
  const shown = { node: null, previous: null, next: null, keys: [], digest: text };
  return { shown, text: Buffer.from(text), tookMs: 0 };
}

test('[H414] a page is read again only after its cached reading was dropped', () => {
  const readings = new PageReadings();
  const first = readings.read('a', () => readingOf('1'));
  expect(readings.read('a', () => readingOf('2'))).toBe(first);
  readings.drop('a');
  expect(readings.read('a', () => readingOf('3')).shown.digest).toBe('3');
});

test('[H414] the oldest readings are dropped when the cache is full', () => {
  const readings = new PageReadings(10);
  const read = (id: string, text: string): string => readings.read(id, () => readingOf(text)).shown.digest;
  read('a', 'aaaa');
  read('b', 'bbbb');
  read('c', 'cccc');
  expect([read('b', 'new'), read('c', 'new'), read('a', 'new')]).toEqual(['bbbb', 'cccc', 'new']);
  expect(read('d', 'longer than all')).toBe('longer than all');
  expect(read('d', 'longer than all others')).toBe('longer than all others');
});
