import type { Rate } from './budgets.ts';
import type { LockLimits } from './guess-lock.ts';

/** How much somebody may try before being told to try later. */
export interface ThrottleLimits {
  /** Of wrong passwords for one account from one network. */
  readonly lock: LockLimits;
  /** Wrong passwords where that account's was not right lately: for it from everywhere, and for all from one place. */
  readonly failures: {
    readonly account: Rate;
    readonly host: Rate;
    readonly site: Rate;
    /** Of one API key, so that the other apps of a project go on while one of them is misused. */
    readonly key: Rate;
    readonly project: Rate;
    /** Of all projects together. */
    readonly server: Rate;
  };
  /** New accounts of one project. */
  readonly signUps: { readonly host: Rate; readonly site: Rate };
  /** Passwords that people set for accounts that there are: of one account, and from one place for all of a project. */
  readonly newPasswords: { readonly account: Rate; readonly host: Rate };
  /** Changes that people make to one account of their own: each is written to disk, and some to the audit. */
  readonly ownChanges: Rate;
  /** Mails with codes, of one project to whomever. */
  readonly mails: { readonly host: Rate; readonly site: Rate };
  /** Test mails of one project. */
  readonly testMails: Rate;
  /** Lookups and refreshes: of whole offices whose devices all come back at once, but not of a loop without a pause. */
  readonly requests: Rate;
  /** What happens to a project at all, whoever does it. */
  readonly ofProject: Readonly<Record<ProjectQuota, Rate>>;
  /** How long a network counts as one from which an account's password was right. */
  readonly knownForMs: number;
  /** Most accounts, networks and pairs of them that are remembered, of each kind. */
  readonly maxKeys: number;
}

/** What a project bears so much of: accounts deleted one by one, and at once, and changes of its configuration. */
export type ProjectQuota = 'deletions' | 'batchDeletions' | 'configChanges';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of `hearth serve`. */
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
  ownChanges: { burst: 100, perHour: 600 },
  mails: { host: { burst: 100, perHour: 100 }, site: { burst: 1_000, perHour: 1_000 } },
  testMails: { burst: 20, perHour: 20 },
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

/** Of `hearth dev`: none, because test suites sign up and in by the thousand. */
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
  ownChanges: BOUNDLESS,
  mails: { host: BOUNDLESS, site: BOUNDLESS },
  testMails: BOUNDLESS,
  requests: BOUNDLESS,
  ofProject: { deletions: BOUNDLESS, batchDeletions: BOUNDLESS, configChanges: BOUNDLESS },
  knownForMs: SERVING.knownForMs,
  maxKeys: 1_000,
};
