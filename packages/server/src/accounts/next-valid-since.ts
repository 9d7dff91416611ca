import type { Account } from './account.ts';
import { IdentityError } from './identity-error.ts';

/** Less than the clocks of verifiers may be apart. */
const MAX_AHEAD_SEC = 30;

type Validity = Pick<Account, 'validSinceSec'>;

/**
 * Since when tokens of an account count once all there are have been voided: after the present second, in which some may
 * have been issued, and after those that were issued ahead of it.
 */
export function nextValidSince({ validSinceSec }: Validity, nowMs: number): number {
  return Math.max(secondOf(nowMs), validSinceSec) + 1;
}

/**
 * The same for a change that answers with tokens in place of the one at hand: the present second, or the one after that of
 * the token at hand and after which tokens were voided last. Else tokens of both sessions could be alike to the letter, and
 * clients that are given the same ID token again keep the old refresh token with it. Tokens in the answer are of that
 * second, so it refuses what would put it too far ahead.
 */
export function nextValidSinceOf(
  { validSinceSec }: Validity,
  { issuedAtSec }: { readonly issuedAtSec: number },
  nowMs: number,
): number {
  const nowSec = secondOf(nowMs);
  const nextSec = Math.max(nowSec, validSinceSec + 1, issuedAtSec + 1);
  if (nextSec > nowSec + MAX_AHEAD_SEC)
    throw new IdentityError(
      'TOO_MANY_ATTEMPTS_TRY_LATER',
      'The account was changed too often. Wait a minute.',
    );
  return nextSec;
}

function secondOf(timeMs: number): number {
  return Math.floor(timeMs / 1_000);
}
