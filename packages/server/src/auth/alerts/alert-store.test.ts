import { expect, test } from 'vitest';
import { parseAlertSettings } from './alert-store.ts';

const GOOD = { thresholds: { denials: 5, disk: 90 }, mailsOwners: true, webhook: 'https://example.com/hook' };

test('[H891] settings are accepted as they are returned', () => {
  expect(parseAlertSettings(new Map(Object.entries(GOOD)))).toEqual(GOOD);
});

test.each<readonly [string, unknown]>([
  ['mailsOwners', undefined],
  ['mailsOwners', 'yes'],
  ['thresholds', undefined],
  ['thresholds', []],
  ['thresholds', { denials: 0 }],
  ['thresholds', { denials: 1.5 }],
  ['thresholds', { denials: '5' }],
  ['thresholds', { disk: 101 }],
  ['thresholds', { other: 5 }],
  ['webhook', undefined],
  ['webhook', 'example.com'],
  ['webhook', 'file:///etc/passwd'],
  ['webhook', 'https://user:password@example.com/'],
])('[H891] settings with %s %j are rejected', (name, value) => {
  expect(() => parseAlertSettings(new Map(Object.entries({ ...GOOD, [name]: value })))).toThrow(name);
});

test('[H891] an address of more than 2,000 characters is rejected', () => {
  const webhook = `https://example.com/${'x'.repeat(2_000)}`;
  expect(() => parseAlertSettings(new Map(Object.entries({ ...GOOD, webhook })))).toThrow('webhook');
});
