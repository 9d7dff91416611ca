import { type Account, withEmail, withPassword } from '../accounts/account.ts';
import { parseDisplayName, parseEmail, parsePhotoUrl } from '../accounts/field-parsers.ts';
import {
  applyRemoval,
  hasValueToRemove,
  type Removal,
  readRemovals,
  removesCredential,
} from '../accounts/removal.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { Project } from '../projects/project.ts';

/** The changes that a user requests for their own account. */
export interface ProfileUpdate {
  /** As returned by `parseEmail`. */
  readonly email: string | undefined;
  readonly password: string | undefined;
  /** `null` removes the name. */
  readonly displayName: string | null | undefined;
  /** `null` removes the photo. */
  readonly photoUrl: string | null | undefined;
  readonly removals: readonly Removal[];
}

/**
 * Reads the changes that a request names. Throws for `customAttributes` and `disableUser`, which only administrators
 * may set, and for invalid values. Ignores all other fields.
 */
export function readProfileUpdate(fields: Fields, project: Project): ProfileUpdate {
  if (fields.has('customAttributes')) throw new AuthApiError('INSUFFICIENT_PERMISSION');
  if (fields.has('disableUser')) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const password = fields.filled('password');
  if (password !== undefined && !project.settings.signIn.isEmailEnabled)
    throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const email = findText(fields.filled('email'), parseEmail);
  if (password !== undefined) requireAcceptable(password, project);
  return {
    email,
    password,
    displayName: findText(fields.text('displayName'), parseDisplayName),
    photoUrl: findText(fields.text('photoUrl'), parsePhotoUrl),
    removals: readRemovals(fields),
  };
}

function findText<T>(text: string | undefined, parse: (text: string) => T): T | undefined {
  return text === undefined ? undefined : parse(text);
}

/** Returns whether the change gives the account another address. */
export function changesEmail(account: Account, { email }: ProfileUpdate): boolean {
  return email !== undefined && email !== account.email;
}

/** Returns whether the change removes the address of an account that has one. */
export function removesEmail(account: Account, change: ProfileUpdate): boolean {
  return account.email !== null && applyRemovals(account, change).email === null;
}

/** Returns whether the change ends the existing sessions: it sets another address, or a password. */
export function endsSessions(account: Account, change: ProfileUpdate): boolean {
  return changesEmail(account, change) || change.password !== undefined;
}

/** Returns whether the change affects credentials. */
export function needsRecentSignIn(account: Account, change: ProfileUpdate): boolean {
  return endsSessions(account, change) || change.removals.some(removesCredential);
}

/**
 * Returns the account after a change. Removals are applied last. `passwordHash` is the hash of the change's
 * password. Tokens are valid from `validSinceSec` on.
 */
export function applyProfileUpdate(
  before: Account,
  change: ProfileUpdate,
  passwordHash: JsonObject | undefined,
  { nowMs, validSinceSec }: { readonly nowMs: number; readonly validSinceSec: number },
): Account {
  const { email, displayName, photoUrl } = change;
  const isEmailNew = email !== undefined && email !== before.email;
  const addressed = isEmailNew ? withEmail(before, email, false) : before;
  const after: Account = {
    ...(passwordHash === undefined ? addressed : withPassword(addressed, passwordHash, nowMs)),
    ...(displayName === undefined ? {} : { displayName }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    validSinceSec,
  };
  return applyRemovals(after, change);
}

/** Returns the account without the parts that the change removes. */
export function applyRemovals(account: Account, { removals }: ProfileUpdate): Account {
  return removals.reduce(applyRemoval, account);
}

/** Returns the removals that change the account. */
export function effectiveRemovals(account: Account, { removals }: ProfileUpdate): readonly Removal[] {
  return removals.filter((removal) => hasValueToRemove(account, removal));
}
