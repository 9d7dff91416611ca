import type { MailEvent } from '../../mail/event.ts';
import { INSTALLATION, type RecordStoreTransaction } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import { isConsoleKey } from '../projects/projects.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { ACTION_MODES, type CodePurpose, LIFETIMES_MS } from './code.ts';
import { addCode, hasCapacity } from './code-store.ts';
import { ACTION_PATH, type ActionSettings, findHostedUrl, formatActionLink, NO_SETTINGS } from './links.ts';
import { languageOf, mailAccount } from './mails.ts';

const CODE_BYTES = 24;
/** Replaces the new address in a mail, in every language, if the account no longer has an address. */
const NO_ADDRESS = '—';

/** The content of a code to issue, and how the code reaches the user. */
export interface NewCode {
  readonly purpose: CodePurpose;
  /** The display name of the account. */
  readonly displayName: string | null;
  readonly settings: ActionSettings;
  /** `mail` sends the code to its recipient; `response` returns it to the administrator who made the request. */
  readonly delivery: 'mail' | 'response';
}

/**
 * `limited`: the recipient has received too many mails, or the account has too many codes. No code was created, and
 * earlier codes still work.
 */
export type IssuedCode =
  | { readonly kind: 'issued'; readonly code: string; readonly link: string }
  | { readonly kind: 'limited' };

/**
 * Issues a code in a transaction, together with the mail that contains it. Voids earlier codes for the same
 * purpose. Throws `QUOTA_EXCEEDED` when too many mails are waiting to be sent.
 */
export function issueCode(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { purpose, displayName, settings, delivery }: NewCode,
): IssuedCode {
  const records = transaction.records(accountRecords(call.project.scope));
  if (!hasCapacity(records, purpose)) return { kind: 'limited' };
  const code = Buffer.from(services.randomBytes(CODE_BYTES)).toString('base64url');
  const link = formatActionLink({
    page: pageOf(call, settings),
    mode: ACTION_MODES[purpose.kind],
    code,
    apiKey: apiKeyOf(transaction, call, services),
    language: languageOf(call),
    tenantId: call.project.scope.tenantId,
    ...settings,
  });
  const expiresAtMs = transaction.nowMs + LIFETIMES_MS[purpose.kind];
  if (delivery === 'mail') {
    const event = eventOf(purpose, displayName, link);
    const mail = { to: recipientOf(purpose), event, validUntilMs: expiresAtMs };
    const outcome = mailAccount(transaction, call, services, mail);
    if (outcome === 'full') throw tooManyMails();
    if (outcome === 'limited') return { kind: 'limited' };
  }
  addCode(records, code, { purpose, expiresAtMs, wasMailed: delivery === 'mail' }, transaction.nowMs);
  transaction.onCommit(() => {
    services.recentCodes?.record({ scope: call.project.scope, code, link, purpose });
    const uid = purpose.kind === 'EMAIL_SIGNIN' ? null : purpose.uid;
    recordAudit(services, call, 'code_issued', uid, { detail: purpose.kind });
  });
  return { kind: 'issued', code, link };
}

/** Returns the page for a code: that of the project, unless the user returns to the hosted page of this server. */
function pageOf({ project, origin }: AuthRequest, { continueUrl }: ActionSettings): string {
  const isHosted = continueUrl !== undefined && findHostedUrl(continueUrl, origin) !== undefined;
  const own = isHosted ? null : project.settings.mail.actionUrl;
  return own ?? `${origin}${ACTION_PATH}`;
}

export function tooManyMails(): AuthApiError {
  return new AuthApiError('QUOTA_EXCEEDED', 'Too many emails are waiting to be sent. Try again later.');
}

/**
 * Returns the API key for a link: that of the app, or else one of the project. If there is none, returns a placeholder in
 * development mode, where any key works, and an empty text otherwise.
 */
function apiKeyOf(
  transaction: RecordStoreTransaction,
  { caller, project }: AuthRequest,
  services: AuthServices,
): string {
  if (caller.kind === 'app' && !isConsoleKey(caller.apiKey)) return caller.apiKey;
  const [first] = transaction.records(INSTALLATION).list(['apiKeysOf', project.id], { limit: 1 });
  if (first !== undefined) return first.key;
  if (caller.kind === 'app') return caller.apiKey;
  return services.isDevelopment ? 'fake-api-key' : '';
}

function recipientOf(purpose: CodePurpose): string {
  return purpose.kind === 'VERIFY_AND_CHANGE_EMAIL' ? purpose.newEmail : purpose.email;
}

function eventOf(purpose: CodePurpose, name: string | null, link: string): MailEvent {
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
 * Mails a code to the previous address of an account. With the code, the owner of that address can take the account
 * back. The mail is sent only if the transaction commits. Does nothing if the account had no address, or still has it.
 */
export function mailOldAddress(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  before: Account,
  after: Account,
): void {
  if (before.email === null || before.email === after.email) return;
  issueCode(transaction, call, services, {
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
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { uid, email, displayName }: Account,
  enrollmentId: string,
): void {
  if (email === null) return;
  issueCode(transaction, call, services, {
    purpose: { kind: 'REVERT_SECOND_FACTOR_ADDITION', uid, email, enrollmentId },
    displayName,
    settings: NO_SETTINGS,
    delivery: 'mail',
  });
}
