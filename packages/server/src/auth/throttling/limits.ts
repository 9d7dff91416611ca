import type { Rate } from './budgets.ts';

/** How failed passwords for one account from one network delay further attempts. */
export interface LockLimits {
  /** Number of failures that triggers the first lock. */
  readonly freeFailures: number;
  /**
   * Maximum number of failures and of passwords that are being verified, together, from a network where the account's
   * password was recently right.
   */
  readonly knownAtOnce: number;
  /** Duration of the first lock. Each further lock lasts twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Time after the latest failure until all failures are cleared. */
  readonly forgottenAfterMs: number;
}

/** Failed passwords for one account from one network. */
export interface GuessLock {
  readonly failures: number;
  readonly failedAtMs: number;
  readonly lockedUntilMs: number;
  /** Number of passwords that are being verified. */
  readonly pending: number;
}

export const NO_GUESSES: GuessLock = { failures: 0, failedAtMs: 0, lockedUntilMs: 0, pending: 0 };

/**
 * Returns whether another password may be verified. Passwords being verified count as failures, so that sending many at
 * the same time does not bypass the lock. In a known network and before the first lock, more may be verified at the
 * same time, because several devices may sign in together.
 */
export function mayGuess(lock: GuessLock, limits: LockLimits, isKnown: boolean, nowMs: number): boolean {
  const { failures, lockedUntilMs, pending } = forget(lock, limits, nowMs);
  const { freeFailures, knownAtOnce } = limits;
  const allowed = isKnown && failures < freeFailures ? knownAtOnce : freeFailures;
  return nowMs >= lockedUntilMs && pending < Math.max(1, allowed - failures);
}

/** Returns the lock after one more failure. */
export function applyFailure(lock: GuessLock, limits: LockLimits, nowMs: number): GuessLock {
  const { failures, pending } = forget(lock, limits, nowMs);
  const doublings = failures + 1 - limits.freeFailures;
  const lockMs = doublings < 0 ? 0 : Math.min(limits.longestMs, limits.firstMs * 2 ** doublings);
  return { failures: failures + 1, failedAtMs: nowMs, lockedUntilMs: nowMs + lockMs, pending };
}

function forget(lock: GuessLock, { forgottenAfterMs }: LockLimits, nowMs: number): GuessLock {
  return nowMs - lock.failedAtMs < forgottenAfterMs ? lock : { ...NO_GUESSES, pending: lock.pending };
}

/** Rate limits. A client that exceeds one has to try again later. */
export interface ThrottleLimits {
  /** For failed passwords for one account from one network. */
  readonly lock: LockLimits;
  /**
   * For failed passwords from networks where the account's password was not recently right: per account from
   * all networks, and per network for all accounts.
   */
  readonly failures: {
    readonly account: Rate;
    readonly host: Rate;
    readonly site: Rate;
    /** Rate per API key, so that the other apps of a project keep working while one key is abused. */
    readonly key: Rate;
    readonly project: Rate;
    /** For all projects together. */
    readonly server: Rate;
  };
  /** For new accounts in one project. */
  readonly signUps: { readonly host: Rate; readonly site: Rate };
  /**
   * For passwords that users set for existing accounts: per account, and per host for all accounts of a
   * project.
   */
  readonly newPasswords: { readonly account: Rate; readonly host: Rate };
  /** For changes that users make to their own account: each is written to disk, and some to the audit log. */
  readonly profileUpdates: Rate;
  /** For mails with codes, per project, to any recipients. */
  readonly mails: { readonly host: Rate; readonly site: Rate };
  /** For challenges, of all projects. */
  readonly challenges: { readonly host: Rate; readonly site: Rate };
  /** For passkeys, per project: options that are requested, and signatures that are verified. */
  readonly passkeys: { readonly host: Rate; readonly site: Rate };
  /** For test emails of one project, and separately for its test text messages. */
  readonly testMessages: Rate;
  /**
   * For lookups and refreshes: enough for an office whose devices all reconnect at the same time, but not for a
   * client in an endless loop.
   */
  readonly requests: Rate;
  /** For operations in one project, by all callers. */
  readonly ofProject: Readonly<Record<ProjectQuota, Rate>>;
  /** How long a network counts as known after an account's password was right there. */
  readonly knownForMs: number;
  /** Maximum number of accounts, networks and pairs to store, of each kind. */
  readonly maxKeys: number;
}

/**
 * Operations with a quota per project: deleting single accounts, deleting in batches, and changing the
 * configuration.
 */
export type ProjectQuota = 'deletions' | 'batchDeletions' | 'configChanges';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The limits of `hearth serve`. */
export const SERVING: ThrottleLimits = {
  lock: { freeFailures: 5, knownAtOnce: 20, firstMs: 15_000, longestMs: HOUR_MS, forgottenAfterMs: DAY_MS },
  failures: {
    account: { burst: 100, perHour: 12 },
    host: { burst: 60, perHour: 60 },
    site: { burst: 300, perHour: 300 },
    key: { burst: 5_000, perHour: 5_000 },
    project: { burst: 10_000, perHour: 10_000 },
    server: { burst: 100_000, perHour: 100_000 },
  },
  signUps: { host: { burst: 100, perHour: 100 }, site: { burst: 1_000, perHour: 1_000 } },
  newPasswords: { account: { burst: 20, perHour: 20 }, host: { burst: 100, perHour: 100 } },
  profileUpdates: { burst: 100, perHour: 600 },
  mails: { host: { burst: 100, perHour: 100 }, site: { burst: 1_000, perHour: 1_000 } },
  challenges: { host: { burst: 60, perHour: 3_600 }, site: { burst: 600, perHour: 36_000 } },
  passkeys: { host: { burst: 1_000, perHour: 10_000 }, site: { burst: 10_000, perHour: 100_000 } },
  testMessages: { burst: 20, perHour: 20 },
  requests: { burst: 5_000, perHour: 500 * 3_600 },
  ofProject: {
    deletions: { burst: 100, perHour: 10 * 3_600 },
    batchDeletions: { burst: 10, perHour: 3_600 },
    configChanges: { burst: 100, perHour: 10 * 3_600 },
  },
  knownForMs: 30 * DAY_MS,
  maxKeys: 50_000,
};

const BOUNDLESS: Rate = { burst: Number.POSITIVE_INFINITY, perHour: 0 };

/** The limits of `hearth dev`: none, because test suites sign up and sign in thousands of times. */
export const DEVELOPMENT: ThrottleLimits = {
  lock: { ...SERVING.lock, freeFailures: Number.POSITIVE_INFINITY, knownAtOnce: Number.POSITIVE_INFINITY },
  failures: {
    account: BOUNDLESS,
    host: BOUNDLESS,
    site: BOUNDLESS,
    key: BOUNDLESS,
    project: BOUNDLESS,
    server: BOUNDLESS,
  },
  signUps: { host: BOUNDLESS, site: BOUNDLESS },
  newPasswords: { account: BOUNDLESS, host: BOUNDLESS },
  profileUpdates: BOUNDLESS,
  mails: { host: BOUNDLESS, site: BOUNDLESS },
  challenges: { host: BOUNDLESS, site: BOUNDLESS },
  passkeys: { host: BOUNDLESS, site: BOUNDLESS },
  testMessages: BOUNDLESS,
  requests: BOUNDLESS,
  ofProject: { deletions: BOUNDLESS, batchDeletions: BOUNDLESS, configChanges: BOUNDLESS },
  knownForMs: SERVING.knownForMs,
  maxKeys: 1_000,
};
