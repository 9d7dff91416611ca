import type { NodemailerError } from 'nodemailer';
import { UnsealFailure } from '../secrets/secret-box.ts';
import { Unreachable } from './connect-checked.ts';
import { failureReason } from './failure-reason.ts';
import { MailFailure, type MailFailureKind } from './mail-failure.ts';

/** Errors of the connection or of the sign-in to it, whatever the mail. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'EPROTOCOL',
  'EAUTH',
  'ENOAUTH',
  // It took too long in all.
  'EABORT',
]);

/** The server closes the connection. */
const CLOSING = 421;

/** What an error of the SMTP client, or of opening it, means for the mail. */
export function smtpFailure(error: unknown): MailFailure {
  if (error instanceof UnsealFailure)
    return new MailFailure('unavailable', 'The password of the mail server cannot be opened: set it again.', {
      cause: error,
    });
  if (error instanceof Unreachable)
    return new MailFailure('unavailable', failureReason(error.message), { cause: error });
  if (!(error instanceof Error)) return new MailFailure('temporary', 'It failed without an error.');
  return new MailFailure(kindOf(error), reasonOf(error), { cause: error });
}

/** Whoever names a mail server is not shown what something else says that answers there. */
function reasonOf({ code, message, responseCode }: NodemailerError): string {
  if (code !== 'EPROTOCOL') return failureReason(message);
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  return `What answers there does not greet like a mail server${answer}.`;
}

function kindOf({ code, command, permanent, responseCode }: NodemailerError): MailFailureKind {
  if (UNAVAILABLE.has(code) || responseCode === CLOSING) return 'unavailable';
  // Of the sender: an operator can mend that, and the mail was fine.
  if (command === 'MAIL FROM' && responseCode !== undefined) return 'temporary';
  const isUnsendable = responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return permanent === true || isUnsendable ? 'permanent' : 'temporary';
}
