import type { BookView } from '../../records/store.ts';
import {
  type Account,
  emptyAccount,
  nextValidSinceOf,
  withEmail,
  withPassword,
} from '../accounts/account.ts';
import { accountsBook, findAccountByEmail } from '../accounts/account-store.ts';
import { createAccount } from '../accounts/create-by-admin.ts';
import { newUid, parseDisplayName, parseEmail } from '../accounts/field-parsers.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { mailPasswordChanged } from '../codes/mails.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { mustBeAcceptable } from '../passwords/check-password.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { signIn } from './complete-sign-in.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from './current-user.ts';
import { factsOf } from './session.ts';
import { endSessions } from './session-store.ts';
import { mustAllowEmailChange } from './update.ts';

const KIND = 'identitytoolkit#SignupNewUserResponse';

/** `accounts:signUp`: creates an account, or sets a password for the account to which an ID token belongs. */
export async function signUp(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  if (call.caller.kind === 'admin') return createAccount(call, services);
  const { fields, project } = call;
  if (fields.has('localId')) throw new IdentityError('UNEXPECTED_PARAMETER', 'User ID');
  const isPassword = ['email', 'password', 'idToken'].some((name) => fields.has(name));
  if (!project.settings.isSignUpEnabled && !fields.has('idToken'))
    throw new IdentityError('ADMIN_ONLY_OPERATION');
  if (!isPassword) return signUpAnonymously(call, services);
  if (!project.settings.signIn.isEmailEnabled) throw new IdentityError('OPERATION_NOT_ALLOWED');
  return fields.has('idToken') ? linkPassword(call, services) : signUpWithPassword(call, services);
}

async function signUpAnonymously(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  if (!call.project.settings.signIn.isAnonymousEnabled) throw new IdentityError('ADMIN_ONLY_OPERATION');
  services.throttle.mustAllowSignUp(call);
  const uid = newUid(services.randomBytes);
  return signIn(
    call,
    services,
    (_book, nowMs) => ({
      before: undefined,
      account: emptyAccount(uid, nowMs),
      facts: factsOf('anonymous'),
      asksSecondFactor: false,
    }),
    () => ({ kind: KIND, localId: uid }),
  );
}

async function signUpWithPassword(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { email, password } = mustHaveEmailAndPassword(call);
  const displayName = parseDisplayName(call.fields.text('displayName') ?? '');
  services.throttle.mustAllowSignUp(call);
  const stored = await services.passwords.hashEncoded(password);
  const uid = newUid(services.randomBytes);
  return signIn(
    call,
    services,
    (book, nowMs) => {
      if (findAccountByEmail(book, email) !== undefined) throw new IdentityError('EMAIL_EXISTS');
      const account = {
        ...emptyAccount(uid, nowMs),
        email,
        displayName,
        password: stored,
        passwordUpdatedAtMs: nowMs,
      };
      return { before: undefined, account, facts: factsOf('password'), asksSecondFactor: false };
    },
    () => ({ kind: KIND, localId: uid, email, displayName: displayName ?? undefined }),
  );
}

async function linkPassword(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const token = await mustVerifyToken(call, services);
  const { email, password } = mustHaveEmailAndPassword(call);
  const { id, settings } = call.project;
  // Checked before any error can depend on the address: otherwise a client could test which addresses have
  // accounts, any number of them, without setting a password.
  services.throttle.mustAllowNewPassword(call, token.uid);
  // Check first, because hashing is expensive.
  services.books.read((view) =>
    mustAllowLink(view.book(accountsBook(id)), token, email, settings, services.clock.nowMs()),
  );
  const stored = await services.passwords.hashEncoded(password);
  const answer = await signIn(
    call,
    services,
    (book, nowMs, turn) => {
      const before = mustAllowLink(book, token, email, settings, nowMs);
      endSessions(book, before.uid);
      const addressed = withEmail(before, email, before.isEmailVerified && before.email === email);
      const account = {
        ...withPassword(addressed, stored, nowMs),
        validSinceSec: nextValidSinceOf(before, token, nowMs),
      };
      mailOldAddress(turn, call, services, before, account);
      if (before.email !== null && before.email !== email)
        turn.afterwards(() => tellAudit(services, call, 'email_changed', before.uid));
      if (before.password !== null) mailPasswordChanged(turn, call, services, before);
      const facts = { ...factsOf('password'), secondFactor: token.secondFactor ?? null };
      return { before, account, facts, asksSecondFactor: false };
    },
    ({ uid, displayName }) => ({ kind: KIND, localId: uid, email, displayName: displayName ?? undefined }),
  );
  tellAudit(services, call, 'password_linked', token.uid);
  return answer;
}

/**
 * Returns the account if it may get the address and the password. Throws the same errors as the other methods
 * that make this change.
 */
function mustAllowLink(
  book: BookView,
  token: VerifiedToken,
  email: string,
  settings: ProjectSettings,
  nowMs: number,
): Account {
  const account = mustFindHolder(book, token);
  if (account.password !== null || account.email !== null) mustBeRecent(account, token, nowMs);
  if (account.email !== null && account.email !== email) mustAllowEmailChange(account, settings);
  const owner = findAccountByEmail(book, email);
  if (owner !== undefined && owner.uid !== account.uid) throw new IdentityError('EMAIL_EXISTS');
  return account;
}

function mustHaveEmailAndPassword({ fields, project }: IdentityCall): {
  readonly email: string;
  readonly password: string;
} {
  const address = fields.mustHave('email', 'MISSING_EMAIL');
  const password = fields.mustHave('password', 'MISSING_PASSWORD');
  const email = parseEmail(address);
  mustBeAcceptable(password, project, email);
  return { email, password };
}
