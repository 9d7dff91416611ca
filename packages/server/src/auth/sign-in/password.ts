import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccount, findAccountByEmail } from '../accounts/account-store.ts';
import { requireEmail } from '../accounts/field-parsers.ts';
import { requireCaptcha } from '../captcha/policy.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { isUpgradeForced, requireAcceptable } from '../passwords/check-password.ts';
import { decodePasswordHash, encodePasswordHash } from '../passwords/hash.ts';
import { requireHashParameters } from '../passwords/hash-parameter-store.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { signIn } from './complete-sign-in.ts';
import { claimsForProvider } from './session.ts';

const KIND = 'identitytoolkit#VerifyPasswordResponse';

/** `accounts:signInWithPassword`: signs a user in with an email address and a password. */
export async function signInWithPassword(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  if (!project.settings.signIn.isEmailEnabled) throw new AuthApiError('PASSWORD_LOGIN_DISABLED');
  await requireCaptcha(call, services, 'signInWithPassword');
  const email = requireEmail(fields);
  const password = fields.require('password', 'MISSING_PASSWORD');
  const { account, fresh } = await verifyPassword(call, services, email, password);
  return signIn(
    call,
    services,
    (records) => {
      const before = findAccount(records, account.uid);
      // If the password was changed during the verification, only the new password is valid.
      if (before === undefined || !isSamePassword(before, account))
        throw wrongPassword(project.settings, account.uid);
      if (isUpgradeForced(project.settings.passwordPolicy, password) && !before.isDisabled)
        requireAcceptable(password, project);
      const upgraded = fresh === undefined ? before : { ...before, password: fresh };
      return {
        before,
        account: upgraded,
        signInClaims: claimsForProvider('password'),
        needsSecondFactor: true,
      };
    },
    ({ uid, displayName, photoUrl }) => ({
      kind: KIND,
      localId: uid,
      email,
      displayName: displayName ?? '',
      registered: true,
      ...(photoUrl === null ? {} : { profilePicture: photoUrl }),
    }),
  );
}

interface VerifiedPassword {
  readonly account: Account;
  /** The password hashed again, if the stored hash has another format than new hashes. */
  readonly fresh: JsonObject | undefined;
}

/** Verifies a password. Takes the same time for an address without an account. */
async function verifyPassword(
  call: AuthRequest,
  services: AuthServices,
  email: string,
  password: string,
): Promise<VerifiedPassword> {
  const { recordStore, passwords, throttle } = services;
  using attempt = throttle.requirePasswordAllowed(call, email);
  const found = recordStore.read((view) => {
    const account = findAccountByEmail(view.records(accountRecords(call.project.scope)), email);
    if (account === undefined || account.password === null) return { account, hash: undefined };
    const hash = decodePasswordHash(account.password, (id) => requireHashParameters(view, services, id));
    return { account, hash };
  });
  const { account, hash } = found;
  const { network } = call.client;
  const verification =
    hash === undefined
      ? await passwords.verifyNothing(password, network)
      : await passwords.verify(password, hash, network);
  const isRight = verification.isMatch && account !== undefined;
  attempt.end(isRight);
  if (!isRight) services.captcha.recordEvent(call.client.address);
  if (account === undefined) throw wrongPassword(call.project.settings, undefined);
  if (!verification.isMatch) throw wrongPassword(call.project.settings, account.uid);
  const fresh = verification.isOutdated ? encodePasswordHash(verification.replacement) : undefined;
  return { account, fresh };
}

function isSamePassword(a: Account, b: Account): boolean {
  return a.password === b.password || JSON.stringify(a.password) === JSON.stringify(b.password);
}

/**
 * Returns the same error for a missing account and for a wrong password if the project hides which addresses
 * have accounts. `uid` is for the audit log.
 */
function wrongPassword({ isEmailPrivate }: ProjectSettings, uid: string | undefined): AuthApiError {
  const code = uid === undefined ? 'EMAIL_NOT_FOUND' : 'INVALID_PASSWORD';
  return new AuthApiError(
    isEmailPrivate ? 'INVALID_LOGIN_CREDENTIALS' : code,
    undefined,
    uid === undefined ? {} : { uid },
  );
}
