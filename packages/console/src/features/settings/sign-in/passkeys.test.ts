import { expect, test } from 'vitest';
import { toKeyHash } from './native-apps.tsx';
import { isPasskeyDomain } from './passkeys.tsx';

const HEX = 'FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C';
const HASH = '-sYXRdwJA3hvue3mKpYrOZ9zSPC7b4mbgzJmdZEDO5w';

test.each([
  [HEX, HASH],
  [HEX.toLowerCase().replaceAll(':', ''), HASH],
  [HASH, HASH],
  ['FA:C6', 'FA:C6'],
  ['', ''],
])('[C541] the fingerprint %j of a key becomes %j', (typed, hash) => {
  expect(toKeyHash(typed)).toBe(hash);
});

test.each([
  ['example.com', true],
  ['id.example.com', true],
  ['localhost', true],
  ['https://example.com', false],
  ['example.com:443', false],
  ['192.0.2.1', false],
  ['.example.com', false],
])('[C541] whether %j may be the domain of passkeys: %j', (text, isDomain) => {
  expect(isPasskeyDomain(text)).toBe(isDomain);
});
