import { expect, test } from 'vitest';
import { parseAuditSearch, parseLocalTime, printLocalTime } from './search.ts';

const NOW_MS = 1_800_000_000_000;

test.each([
  ['', {}],
  ['event=sign_in&result=ok&uid=u1&actor=ann&database=d&requestId=r', undefined],
  ['period=1h', { since: NOW_MS - 3_600_000 }],
  ['period=30d', { since: NOW_MS - 2_592_000_000 }],
  ['period=1y&since=5', {}],
  ['period=custom&since=5&until=7', { since: 5, until: 7 }],
  ['period=custom&since=x', {}],
  ['series=administration', { series: 'administration' }],
  ['series=all&event=', {}],
])('[C640] the address %j selects entries', (address, expected) => {
  const found = parseAuditSearch(new URLSearchParams(address), NOW_MS);
  const given = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  expect(given).toEqual(expected ?? Object.fromEntries(new URLSearchParams(address)));
});

test('[C640] a time in a field is the same time in the address', () => {
  const timeMs = new Date(2026, 10, 26, 9, 5).getTime();
  expect(printLocalTime(timeMs)).toBe('2026-11-26T09:05');
  expect(parseLocalTime('2026-11-26T09:05')).toBe(timeMs);
  expect(printLocalTime(undefined)).toBe('');
  expect(parseLocalTime('')).toBeUndefined();
  expect(parseLocalTime('2026-11-')).toBeUndefined();
});
