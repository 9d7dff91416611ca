import type { MailOccasion } from '../../mail/event.ts';
import { type BooksTurn, INSTALLATION } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountsBook } from '../accounts/account-store.ts';
import { IdentityError } from '../errors.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import { ACTION_MODES, type CodePurpose, LIFETIMES_MS } from './code.ts';
import { addCode, hasRoom } from './code-store.ts';
import { ACTION_PATH, type ActionSettings, formatActionLink, NO_SETTINGS } from './links.ts';
import { languageOf, mailAccount } from './mails.ts';

const CODE_BYTES = 24;
/** Shown in mails of every language instead of the new address if the account no longer has one. */
const NO_ADDRESS = '—';

/** A code to be issued. */
export interface CodeRequest {
  readonly purpose: CodePurpose;
  /** The display name of the account. */
  readonly displayName: string | null;
  readonly settings: ActionSettings;
  /** `mail` sends the code to its recipient; `answer` returns it to the administrator who made the request. */
  readonly delivery: 'mail' | 'answer';
}

/** `limited`: too many codes were sent. No code was created, and earlier codes still work. */
export type IssuedCode =
  | { readonly kind: 'issued'; readonly code: string; readonly link: string }
  | { readonly kind: 'limited' };

/**
 * Issues a code in a transaction, together with the mail that contains it. Voids earlier codes for the same
 * purpose. Throws `QUOTA_EXCEEDED` when too many mails are waiting to be sent.
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

/** In development mode any API key works for its project. */
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

/**
 * Mails the previous address of an account a code with which its owner can take the account back. The mail is
 * sent only if the transaction commits. Does nothing if the account had no address.
 */
export function mailOldAddress(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  before: Account,
  after: Account,
): void {
  if (before.email === null || before.email === after.email) return;
  issueCode(turn, call, services, {
    purpose: {
      kind: 'RECOVER_EMAIL',
      uid: before.uid,
      email: before.email,
      newEmail: after.email,
      wasVerified: before.isEmailVerified,
    },
    displayName: before.displayName,
    settings: NO_SETTINGS,
    delivery: 'mail',
  });
}

/**
 * Notifies the owner of an account by mail that a second factor was added, with a code that removes it. The
 * mail is sent only if the transaction commits.
 */
export function mailSecondFactor(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  { uid, email, displayName }: Account,
  enrollmentId: string,
): void {
  if (email === null) return;
  issueCode(turn, call, services, {
    purpose: { kind: 'REVERT_SECOND_FACTOR_ADDITION', uid, email, enrollmentId },
    displayName,
    settings: NO_SETTINGS,
    delivery: 'mail',
  });
}
