/** How wrong passwords for one account from one network slow down the next. */
export interface LockLimits {
  /** Wrong passwords up to the first lock, that one included. */
  readonly freeFailures: number;
  /** Passwords verified at once, those that were wrong included, from a network where one was right lately. */
  readonly knownAtOnce: number;
  /** How long the first lock lasts; each further one twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** How long after the latest wrong password all of them are forgotten. */
  readonly forgottenAfterMs: number;
}

/** Wrong passwords for one account from one network. */
export interface GuessLock {
  readonly failures: number;
  readonly failedAtMs: number;
  readonly lockedUntilMs: number;
  /** Passwords that are being verified. */
  readonly pending: number;
}

export const NO_GUESSES: GuessLock = { failures: 0, failedAtMs: 0, lockedUntilMs: 0, pending: 0 };

/**
 * May another password be tried? Those under way count as wrong, so that many at once are no way around; where the right
 * one is known and there was no lock yet, more may be under way, because devices there sign in at the same time.
 */
export function mayGuess(lock: GuessLock, limits: LockLimits, isKnown: boolean, nowMs: number): boolean {
  const { failures, lockedUntilMs, pending } = forget(lock, limits, nowMs);
  const { freeFailures, knownAtOnce } = limits;
  const allowed = isKnown && failures < freeFailures ? knownAtOnce : freeFailures;
  return nowMs >= lockedUntilMs && pending < Math.max(1, allowed - failures);
}

/** The lock after one more wrong password. */
export function applyFailure(lock: GuessLock, limits: LockLimits, nowMs: number): GuessLock {
  const { failures, pending } = forget(lock, limits, nowMs);
  const doublings = failures + 1 - limits.freeFailures;
  const lockMs = doublings < 0 ? 0 : Math.min(limits.longestMs, limits.firstMs * 2 ** doublings);
  return { failures: failures + 1, failedAtMs: nowMs, lockedUntilMs: nowMs + lockMs, pending };
}

function forget(lock: GuessLock, { forgottenAfterMs }: LockLimits, nowMs: number): GuessLock {
  return nowMs - lock.failedAtMs < forgottenAfterMs ? lock : { ...NO_GUESSES, pending: lock.pending };
}
