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

/** A session whose token 60 became the present one a while ago, and the one before it just before that. */
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

test('[I25] the present token brings its successor', () => {
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
  ['the one before, for two minutes', 59, sessionOf(120_000), true],
  ['the one before, no longer', 59, sessionOf(120_001), false],
  ['the one before that, for ten seconds', 58, sessionOf(0, 10_000), true],
  ['the one before that, no longer', 58, sessionOf(0, 10_001), false],
  ['one from before those', 57, sessionOf(0), false],
  ['one that is yet to come', 61, sessionOf(0), false],
])('[I25] whether a token counts: %s', (_which, generation, session, counts) => {
  const after = useRefreshToken(session, { generation }, OTHER, STRICT, NOW_MS);
  expect(after).toEqual(counts ? { ...session, lastUsedAtMs: NOW_MS } : undefined);
});

test.each([
  ['by the same client', 10, sessionOf(30 * DAY_MS), DEVICE, LENIENT, true],
  ['after more than 30 days', 10, sessionOf(30 * DAY_MS + 1), DEVICE, LENIENT, false],
  ['more than 50 exchanges ago', 9, sessionOf(0), DEVICE, LENIENT, false],
  ['by another program', 10, sessionOf(0), OTHER, LENIENT, false],
  ['from another network', 10, sessionOf(0), { ...DEVICE, network: '198.51.100.0/24' }, LENIENT, false],
  ['of a strict project', 10, sessionOf(0), DEVICE, STRICT, false],
])('[I26] an old token %s', (_which, generation, session, device, limits, isForgiven) => {
  const after = useRefreshToken(session, { generation }, device, limits, NOW_MS);
  expect(after).toEqual(isForgiven ? { ...session, lastUsedAtMs: NOW_MS } : undefined);
});

test.each([
  ['unused for as long as it may be', { idleLimitMs: 5_000 }, true],
  ['unused for longer', { idleLimitMs: 4_999 }, false],
  ['as old as it may be', { absoluteLimitMs: NOW_MS }, true],
  ['older', { absoluteLimitMs: NOW_MS - 1 }, false],
])('[I28] a session %s', (_which, limit, lasts) => {
  const after = useRefreshToken(
    sessionOf(5_000),
    { generation: 60 },
    DEVICE,
    { ...LENIENT, ...limit },
    NOW_MS,
  );
  expect(after !== undefined).toBe(lasts);
});
