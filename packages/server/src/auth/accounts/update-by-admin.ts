import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { removeAttempts } from '../mfa/attempts.ts';
import { withFactors } from '../mfa/factor.ts';
import { requireVerifiedEmail } from '../mfa/policy.ts';
import { mayUsePasskey, removedPasskeys } from '../passkeys/removal.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { AuthRequest } from '../request.ts';
import { requireNotLastOwner, requireNotMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { type Account, nextValidSince, withEmail, withPassword } from './account.ts';
import { accountRecords, findAccount, saveAccount } from './account-store.ts';
import { parseFactors } from './create-by-admin.ts';
import {
  newUid,
  parseCustomAttributes,
  parseDisplayName,
  parseEmail,
  parseIdentity,
  parsePhoneNumber,
  parsePhotoUrl,
  parseTime,
  parseValidSince,
} from './field-parsers.ts';
import { applyRemoval, readRemovals } from './removal.ts';
import { updatedAccountJson } from './user-json.ts';

/** The data that changes of an account use in addition to the request. */
export interface ChangeContext {
  readonly nowMs: number;
  /** The new `validSinceSec` of the account if a change revokes its tokens. */
  readonly nextValidSinceSec: number;
  /** The hash of the new password; `undefined` when the password stays. */
  readonly hash: JsonObject | undefined;
  /** Creates the id of a second factor. */
  readonly newId: () => string;
}

/** One kind of change that an administrator can make. Returns the account after the change. */
type ChangeStep = (account: Account, fields: Fields, context: ChangeContext) => Account;

/**
 * Returns the account after the changes that an administrator requests. Removals are applied after other
 * changes of the same value, so that the value is gone.
 */
function applyChange(account: Account, fields: Fields, context: ChangeContext): Account {
  const steps: readonly ChangeStep[] = [
    changeEmail,
    changePassword,
    changeProfile,
    changePhone,
    changeState,
    changeTimes,
    linkProvider,
    remove,
    changeFactors,
  ];
  return steps.reduce((changed, step) => step(changed, fields, context), account);
}

function changeEmail(account: Account, fields: Fields, { nextValidSinceSec }: ChangeContext): Account {
  const text = fields.filled('email');
  const isEmailVerified = fields.flag('emailVerified');
  const email = text === undefined ? account.email : parseEmail(text);
  if (email === null || email === account.email)
    return { ...account, isEmailVerified: isEmailVerified ?? account.isEmailVerified };
  return {
    ...withEmail(account, email, isEmailVerified ?? false),
    validSinceSec: nextValidSinceSec,
  };
}

function changePassword(
  account: Account,
  _fields: Fields,
  { hash, nowMs, nextValidSinceSec }: ChangeContext,
): Account {
  if (hash === undefined) return account;
  return { ...withPassword(account, hash, nowMs), validSinceSec: nextValidSinceSec };
}

function changeProfile(account: Account, fields: Fields): Account {
  const displayName = fields.text('displayName');
  const photoUrl = fields.text('photoUrl');
  const customAttributes = parseCustomAttributes(fields);
  return {
    ...account,
    displayName: displayName === undefined ? account.displayName : parseDisplayName(displayName),
    photoUrl: photoUrl === undefined ? account.photoUrl : parsePhotoUrl(photoUrl),
    // `null` removes them.
    customAttributes: customAttributes === undefined ? account.customAttributes : customAttributes,
  };
}

function changePhone(account: Account, fields: Fields): Account {
  const phoneNumber = fields.filled('phoneNumber');
  return phoneNumber === undefined ? account : { ...account, phoneNumber: parsePhoneNumber(phoneNumber) };
}

function changeState(account: Account, fields: Fields): Account {
  return { ...account, isDisabled: fields.flag('disableUser') ?? account.isDisabled };
}

function changeTimes(account: Account, fields: Fields, { nowMs, nextValidSinceSec }: ChangeContext): Account {
  return {
    ...account,
    // A time in the request revokes every existing token, whatever the time is. So tokens of the same second are
    // revoked too, and no revoked token becomes valid again.
    validSinceSec: parseValidSince(fields, nowMs) === undefined ? account.validSinceSec : nextValidSinceSec,
    createdAtMs: parseTime(fields, 'createdAt') ?? account.createdAtMs,
    lastLoginAtMs: parseTime(fields, 'lastLoginAt') ?? account.lastLoginAtMs,
  };
}

/**
 * Links an identity or sets the phone number. An identity of another account is rejected when the account is
 * saved.
 */
function linkProvider(account: Account, fields: Fields): Account {
  const info = fields.object('linkProviderUserInfo');
  if (info === undefined) return account;
  const providerId = info.filled('providerId');
  const rawId = info.filled('rawId');
  if (providerId === undefined) throw new AuthApiError('MISSING_PROVIDER_ID');
  if (providerId === 'phone')
    return { ...account, phoneNumber: parsePhoneNumber(info.filled('phoneNumber') ?? rawId ?? '') };
  if (rawId === undefined) throw new AuthApiError('MISSING_RAW_ID');
  if (providerId === 'password')
    throw new AuthApiError('INVALID_PROVIDER_ID', 'Set "email" to add the provider "password".');
  const identity = parseIdentity(info, { providerId, rawId, wasLinkedVerified: account.isEmailVerified });
  const others = account.identities.filter((other) => other.providerId !== providerId);
  return { ...account, identities: [...others, identity] };
}

function remove(account: Account, fields: Fields): Account {
  return readRemovals(fields).reduce(applyRemoval, account);
}

function changeFactors(account: Account, fields: Fields, { nowMs, newId }: ChangeContext): Account {
  const mfa = fields.object('mfa');
  if (mfa === undefined) return account;
  const existing = account.factors;
  const factors = parseFactors(mfa.objects('enrollments') ?? [], {
    existing,
    newId,
    areIdsKept: true,
    nowMs,
  });
  if (factors.length > 0) requireVerifiedEmail(account);
  return withFactors(account, factors);
}

/** Returns the user id that an administrator's request names. Throws `MISSING_LOCAL_ID`. */
export function requireAccountId(fields: Fields): string {
  return fields.require('localId', 'MISSING_LOCAL_ID');
}

/** Returns an account. Throws `USER_NOT_FOUND`. */
export function requireAccount(records: RecordView, uid: string): Account {
  const account = findAccount(records, uid);
  if (account === undefined) throw new AuthApiError('USER_NOT_FOUND');
  return account;
}

/** The fields of a request that the audit entry names. */
const AUDITED = [
  'email',
  'emailVerified',
  'password',
  'phoneNumber',
  'disableUser',
  'customAttributes',
  'validSince',
  'mfa',
  'linkProviderUserInfo',
  'deleteProvider',
  'deletePasskey',
  'deleteAttribute',
  'displayName',
  'photoUrl',
] as const;

/** `accounts:update` by an administrator. Also works for disabled accounts. */
export async function updateByAdmin(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const uid = requireAccountId(fields);
  parseCustomAttributes(fields);
  const password = fields.filled('password');
  if (password !== undefined) requireAcceptable(password, project);
  const hash =
    password === undefined ? undefined : await services.passwords.hashEncoded(password, call.client.network);
  const account = await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(project.scope));
    const before = requireAccount(records, uid);
    requireNotMember(transaction, call, uid);
    const after = applyChange(before, fields, {
      nowMs: transaction.nowMs,
      nextValidSinceSec: nextValidSince(before, transaction.nowMs),
      hash,
      newId: () => newUid(services.randomBytes),
    });
    if (after.isDisabled) requireNotLastOwner(transaction, project.scope, uid);
    saveAccount(records, before, after);
    endInvalidSessions(records, before, after, fields);
    return after;
  });
  if (password !== undefined && account.email !== null) services.throttle.lift(call, account.email);
  const reported = AUDITED.filter((name) => fields.has(name));
  recordAudit(services, call, 'account_updated', uid, { detail: reported.join(', ') });
  const newEmail = fields.filled('email') === undefined ? {} : { newEmail: account.email };
  return { ...updatedAccountJson(account), ...newEmail };
}

/**
 * Ends the sessions that the change invalidates. A change that revokes tokens or disables the account ends all
 * sessions. The removal of a second factor or a passkey ends the sessions that used it.
 */
function endInvalidSessions(
  records: RecordTransaction,
  before: Account,
  after: Account,
  fields: Fields,
): void {
  const isRevoked =
    fields.has('validSince') ||
    after.validSinceSec > before.validSinceSec ||
    (after.isDisabled && !before.isDisabled);
  const left = new Set(after.factors.map(({ enrollmentId }) => enrollmentId));
  const gone = new Set(
    before.factors.map(({ enrollmentId }) => enrollmentId).filter((enrollmentId) => !left.has(enrollmentId)),
  );
  const passkeys = removedPasskeys(before, after);
  if (isRevoked) {
    endSessions(records, after.uid);
    removeAttempts(records, after.uid);
  } else if (gone.size > 0 || passkeys.size > 0)
    endSessions(
      records,
      after.uid,
      (session) => gone.has(session.secondFactor?.enrollmentId ?? '') || mayUsePasskey(session, passkeys),
    );
}
