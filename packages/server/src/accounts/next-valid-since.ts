import type { VerifiedToken } from '../tokens/verified-token.ts';

/** Less than the clocks of verifiers may be apart. */
const MAX_AHEAD_SEC = 30;

/**
 * Since when tokens count after a change that voids those from before, the one at hand among them: the present second, or
 * the one after that in which the session at hand began. Else tokens of both sessions could be alike to the letter, and
 * clients that are given the same ID token again keep the old refresh token with it.
 */
export function nextValidSince({ authTimeSec }: VerifiedToken, nowMs: number): number {
  const nowSec = Math.floor(nowMs / 1_000);
  return Math.max(nowSec, Math.min(authTimeSec + 1, nowSec + MAX_AHEAD_SEC));
}
