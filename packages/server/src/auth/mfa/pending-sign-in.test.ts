import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { firstKeyOf, newPendingCredential, parsePendingCredential } from './pending-sign-in.ts';

const NOW_MS = 1_700_000_000_000;

test('[I224] a pending credential contains the project number, and its key consists of a time and a hash', () => {
  const { credential, key } = newPendingCredential('123456789012', NOW_MS, randomBytes);
  expect(parsePendingCredential(credential)).toEqual({ projectNumber: '123456789012', key });
  expect(key).toMatch(/^1700000000000-[\w-]{43}$/);
  expect(newPendingCredential('123456789012', NOW_MS, randomBytes).key).not.toBe(key);
});

test('[I233] keys sort by time', () => {
  const time = fc.integer({ min: NOW_MS, max: 2 * NOW_MS });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const { key } = newPendingCredential('100000000000', a, randomBytes);
      expect(key < firstKeyOf(b)).toBe(a < b);
    }),
  );
});

test('[I232] text that does not have the form of a pending credential is not looked up', () => {
  const { credential } = newPendingCredential('100000000000', NOW_MS, randomBytes);
  for (const text of ['', 'x', `${credential}A`, credential.slice(1), `${credential.slice(1)}=`])
    expect(parsePendingCredential(text)).toBeUndefined();
});

test('[I232] parsing arbitrary text never throws', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parsePendingCredential(text);
    }),
  );
});
