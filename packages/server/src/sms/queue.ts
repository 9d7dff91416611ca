import type { QueuePolicy } from '../outbox/outbox.ts';
import type { TextMessage } from './text-message.ts';

/** The name of the record store for text messages. */
export const SMS_RECORDS = 'sms';

/** Maximum number of attempts to send a text message. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 10_000;

/** How long the server tries to send a text message, in ms: a code that arrives later only confuses. */
const MAX_AGE_MS = 60_000;

/** Interval between checks for due text messages, in ms. */
export const SMS_POLL_MS = 5_000;

/** How the queue treats text messages. Budgets are counted before a message is queued: `budgets.ts`. */
export const SMS_QUEUE: QueuePolicy<TextMessage> = {
  records: SMS_RECORDS,
  maxAgeMs: MAX_AGE_MS,
  retryDelayMs: (attempts) => (attempts < MAX_ATTEMPTS ? RETRY_DELAY_MS : Number.POSITIVE_INFINITY),
  count: () => undefined,
  expiredReason: 'The SMS service did not accept the message in time.',
};
