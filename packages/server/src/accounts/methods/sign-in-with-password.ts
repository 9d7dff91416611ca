import { isUpgradeForced } from '../../passwords/check-password.ts';
import { decodePasswordHash, encodePasswordHash } from '../../passwords/password-hash.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, findAccountByEmail } from '../account-book.ts';
import { parseEmail } from '../email.ts';
import type { JsonObject } from '../fields.ts';
import { mustFindHashParameters } from '../hash-parameters-book.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { factsOf } from '../session.ts';
import { signIn } from '../sign-in/sign-in.ts';

const KIND = 'identitytoolkit#VerifyPasswordResponse';

/** `accounts:signInWithPassword`. */
export async function signInWithPassword(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { fields, project } = call;
  if (!project.settings.signIn.isEmailEnabled) throw new IdentityError('PASSWORD_LOGIN_DISABLED');
  const email = parseEmail(fields.mustHave('email', 'MISSING_EMAIL'));
  const password = fields.mustHave('password', 'MISSING_PASSWORD');
  const { account, fresh } = await verifyPassword(call, services, email, password);
  return signIn(
    call,
    services,
    (book) => {
      const before = findAccount(book, account.uid);
      // Whoever changed the password meanwhile knew better.
      if (before === undefined || !isSamePassword(before, account))
        throw wrongPassword(project.settings, account.uid);
      if (isUpgradeForced(project.settings.passwordPolicy, password) && !before.isDisabled)
        mustBeAcceptable(password, project);
      const upgraded = fresh === undefined ? before : { ...before, password: fresh };
      return {
        before,
        account: upgraded,
        facts: factsOf('password'),
        asksSecondFactor: true,
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
  /** The password hashed anew, when its hash is of another kind than new ones. */
  readonly fresh: JsonObject | undefined;
}

/** Takes as long for an address without an account. */
async function verifyPassword(
  call: IdentityCall,
  services: IdentityServices,
  email: string,
  password: string,
): Promise<VerifiedPassword> {
  const { books, passwords, throttle } = services;
  using attempt = throttle.mustAllowPassword(call, email);
  const found = books.read((view) => {
    const account = findAccountByEmail(view.book(accountsBook(call.project.id)), email);
    if (account === undefined || account.password === null) return { account, hash: undefined };
    const hash = decodePasswordHash(account.password, (id) => mustFindHashParameters(view, services, id));
    return { account, hash };
  });
  const { account, hash } = found;
  const verification =
    hash === undefined ? await passwords.verifyNothing(password) : await passwords.verify(password, hash);
  attempt.tell(verification.isMatch && account !== undefined);
  if (account === undefined) throw wrongPassword(call.project.settings, undefined);
  if (!verification.isMatch) throw wrongPassword(call.project.settings, account.uid);
  const fresh = verification.isOutdated ? encodePasswordHash(verification.replacement) : undefined;
  return { account, fresh };
}

function isSamePassword(a: Account, b: Account): boolean {
  return a.password === b.password || JSON.stringify(a.password) === JSON.stringify(b.password);
}

/** The same in public, where addresses are private, whether there is an account or not; `uid` is for the audit. */
function wrongPassword({ isEmailPrivate }: ProjectSettings, uid: string | undefined): IdentityError {
  const code = uid === undefined ? 'EMAIL_NOT_FOUND' : 'INVALID_PASSWORD';
  return new IdentityError(
    isEmailPrivate ? 'INVALID_LOGIN_CREDENTIALS' : code,
    undefined,
    uid === undefined ? {} : { uid },
  );
}
