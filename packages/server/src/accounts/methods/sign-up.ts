import type { BookView } from '../../books/books.ts';
import type { VerifiedToken } from '../../tokens/verified-token.ts';
import { type Account, emptyAccount } from '../account.ts';
import { accountsBook, findAccountByEmail } from '../account-book.ts';
import { createAccount } from '../admin/create-account.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { mailOldAddress } from '../codes/mail-old-address.ts';
import { mailPasswordChanged } from '../codes/mail-password-changed.ts';
import { parseEmail } from '../email.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustAllowEmailChange } from '../must-allow-email-change.ts';
import { nextValidSinceOf } from '../next-valid-since.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { parseDisplayName } from '../profile.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { newUid } from '../random-id.ts';
import { factsOf } from '../session.ts';
import { endSessions } from '../session-book.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { tellAudit } from '../tell-audit.ts';
import { withEmail } from '../with-email.ts';
import { withPassword } from '../with-password.ts';

const KIND = 'identitytoolkit#SignupNewUserResponse';

/** `accounts:signUp`: a new account, or a password for the one that an ID token stands for. */
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
  // Before anything is said of the address: else who sets no password learns of any number of them who has an account.
  services.throttle.mustAllowNewPassword(call, token.uid);
  // Hashing is worth its cost only for whom the change is allowed.
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

/** The account, unless giving it an address and a password would be refused in another way to do so. */
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
