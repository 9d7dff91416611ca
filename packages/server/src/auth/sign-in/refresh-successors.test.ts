import { expect, test } from 'vitest';
import { NEW_SETTINGS } from '../projects/project.ts';
import { useRefreshToken } from './refresh.ts';
import type { Session } from './session.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 100 * DAY_MS;
const DEVICE = { userAgent: 'Chrome', network: '192.0.2.0/24' };
const OTHER = { userAgent: 'Other', network: '192.0.2.0/24' };
const LENIENT = NEW_SETTINGS.session;
const STRICT = { ...LENIENT, isReuseLenient: false };

/** Creates a session whose current token is number 60. The arguments say when it and its predecessor were issued. */
function sessionOf(rotatedMsAgo: number, previousMsAgo = rotatedMsAgo): Session {
  return {
    id: 'session',
    uid: 'ann',
    provider: 'password',
    secondFactor: null,
    sessionClaims: null,
    signInAttributes: null,
    createdAtMs: 0,
    authTimeSec: 0,
    lastUsedAtMs: NOW_MS - rotatedMsAgo,
    device: DEVICE,
    seed: '',
    generation: 60,
    isRotating: true,
    rotatedAtMs: NOW_MS - rotatedMsAgo,
    previousRotatedAtMs: NOW_MS - previousMsAgo,
  };
}

test('[I25] the current token returns its successor', () => {
  const session = sessionOf(5_000);
  expect(useRefreshToken(session, { generation: 60 }, DEVICE, STRICT, NOW_MS)).toEqual({
    ...session,
    lastUsedAtMs: NOW_MS,
    generation: 61,
    rotatedAtMs: NOW_MS,
    previousRotatedAtMs: session.rotatedAtMs,
  });
});

test.each([
  ['the previous token is valid for two minutes', 59, sessionOf(120_000), true],
  ['the previous token is invalid after two minutes', 59, sessionOf(120_001), false],
  ['the token before the previous one is valid for ten seconds', 58, sessionOf(0, 10_000), true],
  ['the token before the previous one is invalid after ten seconds', 58, sessionOf(0, 10_001), false],
  ['an earlier token is invalid', 57, sessionOf(0), false],
  ['a token that is not issued yet is invalid', 61, sessionOf(0), false],
])('[I25] %s', (_statement, generation, session, isValid) => {
  const after = useRefreshToken(session, { generation }, OTHER, STRICT, NOW_MS);
  expect(after).toEqual(isValid ? { ...session, lastUsedAtMs: NOW_MS } : undefined);
});

test.each([
  ['from the same client is exchanged', 10, sessionOf(30 * DAY_MS), DEVICE, LENIENT, true],
  ['is rejected after more than 30 days', 10, sessionOf(30 * DAY_MS + 1), DEVICE, LENIENT, false],
  ['is rejected after more than 50 exchanges', 9, sessionOf(0), DEVICE, LENIENT, false],
  ['from another program is rejected', 10, sessionOf(0), OTHER, LENIENT, false],
  [
    'from another network is rejected',
    10,
    sessionOf(0),
    { ...DEVICE, network: '198.51.100.0/24' },
    LENIENT,
    false,
  ],
  ['of a strict project is rejected', 10, sessionOf(0), DEVICE, STRICT, false],
])('[I26] an old token %s', (_statement, generation, session, device, limits, isForgiven) => {
  const after = useRefreshToken(session, { generation }, device, limits, NOW_MS);
  expect(after).toEqual(isForgiven ? { ...session, lastUsedAtMs: NOW_MS } : undefined);
});

test.each([
  ['continues if it was unused for the longest allowed time', { idleLimitMs: 5_000 }, true],
  ['ends if it was unused for longer', { idleLimitMs: 4_999 }, false],
  ['continues at the greatest allowed age', { absoluteLimitMs: NOW_MS }, true],
  ['ends at a greater age', { absoluteLimitMs: NOW_MS - 1 }, false],
])('[I28] a session %s', (_statement, limit, continues) => {
  const after = useRefreshToken(
    sessionOf(5_000),
    { generation: 60 },
    DEVICE,
    { ...LENIENT, ...limit },
    NOW_MS,
  );
  expect(after !== undefined).toBe(continues);
});
