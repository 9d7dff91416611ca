import { createHash } from 'node:crypto';
import { MAIL_KINDS } from '@hearth/core/api/mail-kinds.ts';
import type { RecordPath, RecordTransaction } from '../records/store.ts';
import type { SentMailKind } from './event.ts';
import type { Mail } from './mailer.ts';

/** Maximum number of mails of each kind that a project may send to one address per clock hour. */
export type MailLimits = Readonly<Record<SentMailKind, number>>;

/** Enough for legitimate use, but too few to flood a mailbox. */
export const MAILS_PER_HOUR: MailLimits = {
  verifyEmail: 5,
  resetPassword: 5,
  changeEmail: 5,
  emailSignIn: 10,
  recoverEmail: 20,
  secondFactorAdded: 20,
  secondFactorRemoved: 20,
  recoveryCodesMade: 20,
  recoveryCodeUsed: 20,
  passwordChanged: 3,
  phoneNumberChanged: 3,
  passkeyAdded: 20,
  passkeyRemoved: 20,
  emailInUse: 1,
  ownerNotice: 20,
};

/** Limits for development mode, where all mails go to the developer. */
export const UNLIMITED_MAILS: MailLimits = {
  ...MAILS_PER_HOUR,
  ...Object.fromEntries(MAIL_KINDS.map((kind) => [kind, Number.POSITIVE_INFINITY])),
};

const HOUR_MS = 3_600_000;
const HOUR: RecordPath = ['state', 'hour'];

/**
 * Counts a mail for its project, kind and recipient. Returns false, without counting, if the limit is reached. Only
 * the counts of one clock hour are stored, at `counts/<hour>/<hash>`; `state/hour` is that hour.
 */
export function countMail(
  records: RecordTransaction,
  mail: Mail,
  limits: MailLimits,
  nowMs: number,
): boolean {
  const limit = limits[mail.kind];
  if (limit === Number.POSITIVE_INFINITY) return true;
  const hour = `h${Math.floor(nowMs / HOUR_MS)}`;
  const location = ['counts', hour, hashOf(mail)];
  const known = records.find(location);
  const count = typeof known === 'number' ? known : 0;
  if (count >= limit) return false;
  const past = records.find(HOUR);
  if (past !== hour) {
    if (typeof past === 'string') records.write(['counts', past], null);
    records.write(HOUR, hour);
  }
  records.write(location, count + 1);
  return true;
}

/** Returns the start of the next clock hour, when the counts start again at 0. */
export function nextHourMs(nowMs: number): number {
  return (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
}

function hashOf({ project, kind, to }: Mail): string {
  const named = JSON.stringify([project, kind, to.toLowerCase()]);
  return createHash('sha256').update(named).digest('base64url');
}
