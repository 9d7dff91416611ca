import type { Account } from '../account.ts';
import { parseEmail } from '../email.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { parseDisplayName, parsePhotoUrl } from '../profile.ts';
import { applyRemoval, readRemovals } from '../removal.ts';
import { mustHaveVerifiedEmail } from '../second-factor/must-have-verified-email.ts';
import { withFactors } from '../second-factor/with-factor.ts';
import { withEmail } from '../with-email.ts';
import { withPassword } from '../with-password.ts';
import { parseCustomAttributes } from './parse-custom-attributes.ts';
import { parseFactors } from './parse-factors.ts';
import { parseIdentity } from './parse-identity.ts';

/** By how much the clock of whoever revokes tokens may be ahead. */
const MAX_CLOCK_LEAD_SEC = 300;

/** What changes of an account need beside the request. */
export interface ChangeContext {
  readonly nowMs: number;
  /** Since when tokens count if a change voids them. */
  readonly nextValidSinceSec: number;
  /** The new password, hashed; `undefined` when it stays. */
  readonly hash: JsonObject | undefined;
}

/** One part of what an administrator may change of an account: the account after it. */
type ChangeStep = (account: Account, fields: Fields, context: ChangeContext) => Account;

/** The account as a request of an administrator leaves it. What is removed comes late, so that it is gone. */
export function applyChange(account: Account, fields: Fields, context: ChangeContext): Account {
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
    // `null` takes them off.
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
    validSinceSec: revokesTokens(fields, nowMs) ? nextValidSinceSec : account.validSinceSec,
    createdAtMs: parseTime(fields, 'createdAt') ?? account.createdAtMs,
    lastLoginAtMs: parseTime(fields, 'lastLoginAt') ?? account.lastLoginAtMs,
  };
}

/**
 * Is a time given since when tokens are to count? All sessions end with it, so all tokens that there are do, whatever the
 * time: those of its very second too, and none ever counts again.
 */
function revokesTokens(fields: Fields, nowMs: number): boolean {
  const second = parseTime(fields, 'validSince');
  if (second === undefined) return false;
  if (second > nowMs / 1_000 + MAX_CLOCK_LEAD_SEC)
    throw new IdentityError('INVALID_ARGUMENT', '"validSince" must be a time that has come, in seconds.');
  return true;
}

function parseTime(fields: Fields, name: string): number | undefined {
  const time = fields.whole(name);
  if (time !== undefined && time < 0)
    throw new IdentityError('INVALID_ARGUMENT', `"${name}" must be a time.`);
  return time;
}

/** Two accounts with one identity are refused when the account is kept. */
function linkProvider(account: Account, fields: Fields): Account {
  const info = fields.object('linkProviderUserInfo');
  if (info === undefined) return account;
  const providerId = info.filled('providerId');
  const rawId = info.filled('rawId');
  if (providerId === undefined) throw new IdentityError('MISSING_PROVIDER_ID');
  if (providerId === 'phone')
    return { ...account, phoneNumber: parsePhoneNumber(info.filled('phoneNumber') ?? rawId ?? '') };
  if (rawId === undefined) throw new IdentityError('MISSING_RAW_ID');
  if (providerId === 'password') throw new IdentityError('INVALID_PROVIDER_ID', 'Set an e-mail address.');
  const identity = parseIdentity(info, { providerId, rawId, wasLinkedVerified: account.isEmailVerified });
  const others = account.identities.filter((other) => other.providerId !== providerId);
  return { ...account, identities: [...others, identity] };
}

function remove(account: Account, fields: Fields): Account {
  return readRemovals(fields).reduce(applyRemoval, account);
}

function changeFactors(account: Account, fields: Fields, { nowMs }: ChangeContext): Account {
  const mfa = fields.object('mfa');
  if (mfa === undefined) return account;
  const present = account.factors;
  const factors = parseFactors(mfa.objects('enrollments') ?? [], { present, newId: null, nowMs });
  if (factors.length > 0) mustHaveVerifiedEmail(account);
  return withFactors(account, factors);
}
