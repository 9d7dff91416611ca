import type { QueuePolicy } from '../outbox/outbox.ts';
import { countMail, MAILS_PER_HOUR, type MailLimits, nextHourMs, UNLIMITED_MAILS } from './limits.ts';
import type { Mail } from './mailer.ts';

const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;

/**
 * Returns the delay after a number of failed attempts, in ms: one minute after the first attempt, then twice the
 * previous delay, at most six hours.
 */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
}

/** Time for which the server tries to send a mail, in ms, unless the link in the mail expires earlier. */
const MAX_AGE_MS = 2 * 24 * 3_600_000;

/** Interval between checks for due mails, in ms. */
export const MAIL_POLL_MS = 15_000;

/** Returns the policy of the queue of mails. `limits` apply to each recipient. */
export function mailQueue(limits: MailLimits): QueuePolicy<Mail> {
  return {
    records: 'mail',
    maxAgeMs: MAX_AGE_MS,
    retryDelayMs,
    count: (records, mail, nowMs) =>
      countMail(records, mail, limits, nowMs) ? undefined : nextHourMs(nowMs),
    expiredReason: 'The mail server did not accept the mail in time.',
  };
}

export const MAIL_QUEUE = mailQueue(MAILS_PER_HOUR);
export const UNLIMITED_MAIL_QUEUE = mailQueue(UNLIMITED_MAILS);
