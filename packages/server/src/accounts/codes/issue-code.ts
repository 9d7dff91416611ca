import type { BooksTurn } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import type { MailOccasion } from '../../mail/mail-occasion.ts';
import { accountsBook } from '../account-book.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { tellAudit } from '../tell-audit.ts';
import { languageOf, mailAccount } from './account-mail.ts';
import { ACTION_PATH, formatActionLink } from './action-link.ts';
import type { ActionSettings } from './action-settings.ts';
import { addCode, hasRoom } from './code-book.ts';
import { ACTION_MODES, type CodePurpose, LIFETIMES_MS } from './code-purpose.ts';

const CODE_BYTES = 24;
/** What mails in every language show for the new address of an account that has none any more. */
const NO_ADDRESS = '—';

/** A code to hand out. */
export interface CodeRequest {
  readonly purpose: CodePurpose;
  /** What the account calls its holder. */
  readonly displayName: string | null;
  readonly settings: ActionSettings;
  /** By a mail to whom the code is for, or to whoever made the request, an administrator. */
  readonly delivery: 'mail' | 'answer';
}

/** `limited`: no code was made, and those from before still work, because too many were sent. */
export type IssuedCode =
  | { readonly kind: 'issued'; readonly code: string; readonly link: string }
  | { readonly kind: 'limited' };

/**
 * Hands out a code as part of a change, with the mail that brings it. Earlier codes for the same are void. Refuses with
 * `QUOTA_EXCEEDED` when too many mails wait.
 */
export function issueCode(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  { purpose, displayName, settings, delivery }: CodeRequest,
): IssuedCode {
  const book = turn.book(accountsBook(call.project.id));
  if (!hasRoom(book, purpose)) return { kind: 'limited' };
  const code = Buffer.from(services.randomBytes(CODE_BYTES)).toString('base64url');
  const link = formatActionLink({
    page: call.project.settings.mail.actionUrl ?? `${call.origin}${ACTION_PATH}`,
    mode: ACTION_MODES[purpose.kind],
    code,
    apiKey: apiKeyOf(turn, call, services),
    language: languageOf(call),
    ...settings,
  });
  const expiresAtMs = turn.nowMs + LIFETIMES_MS[purpose.kind];
  if (delivery === 'mail') {
    const occasion = occasionOf(purpose, displayName, link);
    const mail = { to: recipientOf(purpose), occasion, validUntilMs: expiresAtMs };
    const outcome = mailAccount(turn, call, services, mail);
    if (outcome === 'full') throw tooManyMails();
    if (outcome === 'limited') return { kind: 'limited' };
  }
  addCode(book, code, { purpose, expiresAtMs, wasMailed: delivery === 'mail' }, turn.nowMs);
  turn.afterwards(() => {
    services.recentCodes?.note({ projectId: call.project.id, code, link, purpose });
    const uid = purpose.kind === 'EMAIL_SIGNIN' ? null : purpose.uid;
    tellAudit(services, call, 'code_issued', uid, { detail: purpose.kind });
  });
  return { kind: 'issued', code, link };
}

export function tooManyMails(): IdentityError {
  return new IdentityError('QUOTA_EXCEEDED', 'Too many mails wait to be sent. Try again later.');
}

/** Any key of development mode is good for its project. */
function apiKeyOf(turn: BooksTurn, { caller, project }: IdentityCall, services: IdentityServices): string {
  if (caller.kind === 'app') return caller.apiKey;
  const [first] = turn.book(INSTALLATION).list(['apiKeysOf', project.id], { limit: 1 });
  return first?.key ?? (services.isDevelopment ? 'fake-api-key' : '');
}

function recipientOf(purpose: CodePurpose): string {
  return purpose.kind === 'VERIFY_AND_CHANGE_EMAIL' ? purpose.newEmail : purpose.email;
}

function occasionOf(purpose: CodePurpose, name: string | null, link: string): MailOccasion {
  const shared = { link, ...(name === null ? {} : { displayName: name }) };
  const { email } = purpose;
  switch (purpose.kind) {
    case 'PASSWORD_RESET':
      return { kind: 'resetPassword', email, ...shared };
    case 'VERIFY_EMAIL':
      return { kind: 'verifyEmail', email, ...shared };
    case 'EMAIL_SIGNIN':
      return { kind: 'emailSignIn', email, ...shared };
    case 'VERIFY_AND_CHANGE_EMAIL':
      return { kind: 'changeEmail', newEmail: purpose.newEmail, ...shared };
    case 'RECOVER_EMAIL':
      return { kind: 'recoverEmail', email, newEmail: purpose.newEmail ?? NO_ADDRESS, ...shared };
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return { kind: 'secondFactorAdded', email, ...shared };
    default:
      return purpose satisfies never;
  }
}
