import type { BookView } from '../../books/books.ts';
import type { VerifiedToken } from '../../tokens/verified-token.ts';
import type { Account } from '../account.ts';
import { findAccountByEmail } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { parseEmail } from '../email.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { CodePurpose } from './code-purpose.ts';
import type { RequestType } from './request-type.ts';

/** What is to be done for somebody who asks for a code. */
export type CodeDecision =
  | { readonly kind: 'issue'; readonly purpose: CodePurpose; readonly displayName: string | null }
  /** Nothing, which whoever asks is not to know. `email` is what the answer says. */
  | { readonly kind: 'pretend'; readonly email: string }
  /** The same, but the holder of the address that was asked for is told that somebody wants it. */
  | { readonly kind: 'warn'; readonly email: string; readonly owner: string };

/** What somebody asks for, to be decided in a turn. May refuse. */
export type CodeWish = (book: BookView, nowMs: number) => CodeDecision;

type WishReader = (call: IdentityCall, services: IdentityServices) => Promise<CodeWish>;

/** Reads what a request for a code of each type asks for. */
export const READ_WISH: Readonly<Record<RequestType, WishReader>> = {
  PASSWORD_RESET: readPasswordReset,
  VERIFY_EMAIL: readVerification,
  EMAIL_SIGNIN: readSignIn,
  VERIFY_AND_CHANGE_EMAIL: readChange,
};

async function readPasswordReset(call: IdentityCall): Promise<CodeWish> {
  if (!call.project.settings.signIn.isEmailEnabled) throw new IdentityError('OPERATION_NOT_ALLOWED');
  const email = mustReadEmail(call);
  return (book) => {
    const account = findAccountByEmail(book, email);
    if (account === undefined || account.isDisabled) {
      if (keepsSecret(call)) return { kind: 'pretend', email };
      throw new IdentityError(account === undefined ? 'EMAIL_NOT_FOUND' : 'USER_DISABLED');
    }
    const { uid, displayName } = account;
    return { kind: 'issue', purpose: { kind: 'PASSWORD_RESET', uid, email }, displayName };
  };
}

async function readSignIn(call: IdentityCall, { isDevelopment }: IdentityServices): Promise<CodeWish> {
  if (!call.project.settings.signIn.isEmailLinkEnabled) throw new IdentityError('OPERATION_NOT_ALLOWED');
  const email = mustReadEmail(call);
  // The link is good for nothing without, but tests of apps take the code out of it.
  if (!isDevelopment && call.fields.filled('continueUrl') === undefined)
    throw new IdentityError('MISSING_CONTINUE_URI');
  return (book) => {
    const account = findAccountByEmail(book, email);
    if (account?.isDisabled === true) {
      if (keepsSecret(call)) return { kind: 'pretend', email };
      throw new IdentityError('USER_DISABLED');
    }
    const displayName = account?.displayName ?? null;
    return { kind: 'issue', purpose: { kind: 'EMAIL_SIGNIN', email }, displayName };
  };
}

async function readVerification(call: IdentityCall, services: IdentityServices): Promise<CodeWish> {
  if (!namesAddress(call) && call.fields.filled('idToken') === undefined)
    throw new IdentityError('INVALID_ID_TOKEN');
  const find = await readSubject(call, services);
  return (book) => {
    const { uid, email, displayName } = find(book).account;
    return { kind: 'issue', purpose: { kind: 'VERIFY_EMAIL', uid, email }, displayName };
  };
}

async function readChange(call: IdentityCall, services: IdentityServices): Promise<CodeWish> {
  const newEmail = parseEmail(call.fields.mustHave('newEmail', 'MISSING_NEW_EMAIL'), 'INVALID_NEW_EMAIL');
  const find = await readSubject(call, services);
  return (book, nowMs) => {
    const { account, token } = find(book);
    if (token !== undefined) mustBeRecent(account, token, nowMs);
    const { uid, email, displayName, validSinceSec } = account;
    const owner = findAccountByEmail(book, newEmail);
    if (owner !== undefined) {
      if (owner.uid !== uid && keepsSecret(call)) return { kind: 'warn', email, owner: newEmail };
      throw new IdentityError('EMAIL_EXISTS');
    }
    const purpose = { kind: 'VERIFY_AND_CHANGE_EMAIL', uid, email, newEmail, validSinceSec } as const;
    return { kind: 'issue', purpose, displayName };
  };
}

/** Is whoever asks not to learn whether there is an account? Administrators know anyway. */
export function keepsSecret({ caller, project }: IdentityCall): boolean {
  return caller.kind === 'app' && project.settings.isEmailPrivate;
}

interface Subject {
  readonly account: Account & { readonly email: string };
  /** Of whoever asks for themselves. */
  readonly token: VerifiedToken | undefined;
}

/** Who a code is for that an administrator may ask for by an address, and others by their ID token. */
async function readSubject(
  call: IdentityCall,
  services: IdentityServices,
): Promise<(book: BookView) => Subject> {
  if (namesAddress(call)) {
    const email = mustReadEmail(call);
    return (book) => {
      const account = findAccountByEmail(book, email);
      if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
      if (account.isDisabled) throw new IdentityError('USER_DISABLED');
      return { account: { ...account, email }, token: undefined };
    };
  }
  const token = await mustVerifyToken(call, services);
  return (book) => {
    const account = mustFindHolder(book, token);
    if (account.email === null) throw new IdentityError('MISSING_EMAIL');
    return { account: { ...account, email: account.email }, token };
  };
}

/** Administrators who want the link itself, and have no token of the account, name its address. */
function namesAddress({ caller, fields }: IdentityCall): boolean {
  return (
    caller.kind === 'admin' && fields.flag('returnOobLink') === true && fields.filled('idToken') === undefined
  );
}

function mustReadEmail({ fields }: IdentityCall): string {
  return parseEmail(fields.mustHave('email', 'MISSING_EMAIL'));
}
