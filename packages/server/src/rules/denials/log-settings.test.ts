import { expect, test } from 'vitest';
import { DEFAULT_DENIAL_SETTINGS, parseDenialSettings } from './log.ts';

test('[R168] omitted settings keep their values', () => {
  const changed = parseDenialSettings({ keep: 5, isOn: false }, DEFAULT_DENIAL_SETTINGS);
  expect(changed).toEqual({ isOn: false, keep: 5, days: 7, keepValues: false });
  expect(parseDenialSettings({}, changed)).toEqual(changed);
});

test.each([
  [{ keep: 0 }],
  [{ keep: 1.5 }],
  [{ keep: 100_001 }],
  [{ days: 0 }],
  [{ days: 367 }],
  [{ isOn: 1 }],
  [{ keepValues: null }],
  [{ other: 1 }],
  [[]],
  [7],
])('[R168] invalid settings are rejected: %j', (settings) => {
  expect(() => parseDenialSettings(settings, DEFAULT_DENIAL_SETTINGS)).toThrow(
    '"isOn" and "keepValues" must be true or false',
  );
});
