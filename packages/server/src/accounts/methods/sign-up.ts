import { encodePasswordHash } from '../../passwords/password-hash.ts';
import { emptyAccount } from '../account.ts';
import { findAccountByEmail } from '../account-book.ts';
import { createAccount } from '../admin/create-account.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { parseEmail } from '../email.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { nextValidSince } from '../next-valid-since.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { newUid } from '../random-id.ts';
import { endSessions } from '../session-book.ts';
import { factsOf, signIn } from '../sign-in/sign-in.ts';
import { tellAudit } from '../tell-audit.ts';

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
  services.throttle.mustAllowSignUp(call);
  const displayName = call.fields.filled('displayName') ?? null;
  const stored = encodePasswordHash(await services.passwords.hash(password));
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
  const stored = encodePasswordHash(await services.passwords.hash(password));
  const answer = await signIn(
    call,
    services,
    (book, nowMs) => {
      const before = mustFindHolder(book, token);
      if (before.password !== null || before.isEmailVerified) mustBeRecent(token, nowMs);
      endSessions(book, before.uid);
      const owner = findAccountByEmail(book, email);
      if (owner !== undefined && owner.uid !== before.uid) throw new IdentityError('EMAIL_EXISTS');
      const account = {
        ...before,
        email,
        isEmailVerified: before.isEmailVerified && before.email === email,
        password: stored,
        passwordUpdatedAtMs: nowMs,
        validSinceSec: nextValidSince(token, nowMs),
      };
      return {
        before,
        account,
        facts: { ...factsOf('password'), secondFactor: token.secondFactor ?? null },
        asksSecondFactor: false,
      };
    },
    ({ uid, displayName }) => ({
      kind: KIND,
      localId: uid,
      email,
      displayName: displayName ?? undefined,
    }),
  );
  tellAudit(services, call, 'password_linked', token.uid);
  return answer;
}

function mustHaveEmailAndPassword({ fields, project }: IdentityCall): {
  readonly email: string;
  readonly password: string;
} {
  const address = fields.filled('email');
  const password = fields.filled('password');
  if (address === undefined) throw new IdentityError('MISSING_EMAIL');
  if (password === undefined) throw new IdentityError('MISSING_PASSWORD');
  const email = parseEmail(address);
  mustBeAcceptable(password, project, email);
  return { email, password };
}
