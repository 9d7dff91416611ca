import type { RecordView } from '../../records/store.ts';
import {
  type Account,
  emptyAccount,
  nextValidSinceOf,
  withEmail,
  withPassword,
} from '../accounts/account.ts';
import { accountRecords, findAccountByEmail } from '../accounts/account-store.ts';
import { createAccount } from '../accounts/create-by-admin.ts';
import { newUid, parseDisplayName, requireEmail } from '../accounts/field-parsers.ts';
import { requireCaptcha } from '../captcha/policy.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { mailPasswordChanged } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { signIn } from './complete-sign-in.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from './current-user.ts';
import { claimsForProvider } from './session.ts';
import { endSessions } from './session-store.ts';
import { requireEmailChangeAllowed } from './update.ts';

const KIND = 'identitytoolkit#SignupNewUserResponse';

/**
 * `accounts:signUp`: creates an account, or sets the address and the password of the account to which an ID token
 * belongs.
 */
export async function signUp(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  if (call.caller.kind === 'admin') return createAccount(call, services);
  const { fields, project } = call;
  const isPassword = ['email', 'password', 'idToken'].some((name) => fields.has(name));
  if (!project.settings.isSignUpEnabled && !fields.has('idToken'))
    throw new AuthApiError('ADMIN_ONLY_OPERATION');
  const { isEmailEnabled, isAnonymousEnabled } = project.settings.signIn;
  if (isPassword && !isEmailEnabled) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  if (!isPassword && !isAnonymousEnabled) throw new AuthApiError('ADMIN_ONLY_OPERATION');
  if (fields.has('localId')) throw new AuthApiError('UNEXPECTED_PARAMETER', 'User ID');
  if (!isPassword) return signUpAnonymously(call, services);
  await requireCaptcha(call, services, 'signUpPassword');
  return fields.has('idToken') ? linkPassword(call, services) : signUpWithPassword(call, services);
}

async function signUpAnonymously(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  services.throttle.requireSignUpAllowed(call);
  const uid = newUid(services.randomBytes);
  return signIn(
    call,
    services,
    (_records, nowMs) => ({
      before: undefined,
      account: emptyAccount(uid, nowMs),
      signInClaims: claimsForProvider('anonymous'),
      needsSecondFactor: false,
    }),
    () => ({ kind: KIND, localId: uid }),
  );
}

async function signUpWithPassword(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { email, password } = requireEmailAndPassword(call);
  const displayName = parseDisplayName(call.fields.text('displayName') ?? '');
  services.throttle.requireSignUpAllowed(call);
  const stored = await services.passwords.hashEncoded(password, call.client.network);
  const uid = newUid(services.randomBytes);
  return signIn(
    call,
    services,
    (records, nowMs) => {
      if (findAccountByEmail(records, email) !== undefined) throw new AuthApiError('EMAIL_EXISTS');
      const account = {
        ...emptyAccount(uid, nowMs),
        email,
        displayName,
        password: stored,
        passwordUpdatedAtMs: nowMs,
      };
      return {
        before: undefined,
        account,
        signInClaims: claimsForProvider('password'),
        needsSecondFactor: false,
      };
    },
    () => ({ kind: KIND, localId: uid, email, displayName: displayName ?? undefined }),
  );
}

async function linkPassword(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const token = await requireVerifiedToken(call, services);
  const { email, password } = requireEmailAndPassword(call);
  const { scope, settings } = call.project;
  // Checked before any error can depend on the address. Otherwise a client could test for any number of addresses
  // whether they have accounts, without setting a password.
  services.throttle.requireNewPasswordAllowed(call, token.uid);
  // Check first, because hashing is expensive.
  services.recordStore.read((view) =>
    requireLinkAllowed(view.records(accountRecords(scope)), token, email, settings, services.clock.nowMs()),
  );
  const stored = await services.passwords.hashEncoded(password, call.client.network);
  const answer = await signIn(
    call,
    services,
    (records, nowMs, transaction) => {
      const before = requireLinkAllowed(records, token, email, settings, nowMs);
      endSessions(records, before.uid);
      const addressed = withEmail(before, email, before.isEmailVerified && before.email === email);
      const account = {
        ...withPassword(addressed, stored, nowMs),
        validSinceSec: nextValidSinceOf(before, token, nowMs),
      };
      mailOldAddress(transaction, call, services, before, account);
      if (before.email !== null && before.email !== email)
        transaction.onCommit(() => recordAudit(services, call, 'email_changed', before.uid));
      if (before.password !== null) mailPasswordChanged(transaction, call, services, before);
      const signInClaims = { ...claimsForProvider('password'), secondFactor: token.secondFactor ?? null };
      return { before, account, signInClaims, needsSecondFactor: false };
    },
    ({ uid, displayName }) => ({ kind: KIND, localId: uid, email, displayName: displayName ?? undefined }),
  );
  recordAudit(services, call, 'password_linked', token.uid);
  return answer;
}

/**
 * Returns the account if it may get the address and the password. Throws the same errors as the other methods
 * that make this change.
 */
function requireLinkAllowed(
  records: RecordView,
  token: VerifiedToken,
  email: string,
  settings: ProjectSettings,
  nowMs: number,
): Account {
  const account = requireCurrentUser(records, token);
  if (account.password !== null || account.email !== null) requireRecentSignIn(account, token, nowMs);
  if (account.email !== null && account.email !== email) requireEmailChangeAllowed(account, settings);
  const owner = findAccountByEmail(records, email);
  if (owner !== undefined && owner.uid !== account.uid) throw new AuthApiError('EMAIL_EXISTS');
  return account;
}

function requireEmailAndPassword({ fields, project }: AuthRequest): {
  readonly email: string;
  readonly password: string;
} {
  const email = requireEmail(fields);
  const password = fields.require('password', 'MISSING_PASSWORD');
  requireAcceptable(password, project, email);
  return { email, password };
}
