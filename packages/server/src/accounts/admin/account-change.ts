import type { Account } from '../account.ts';
import { parseEmail } from '../email.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { parseCustomAttributes } from './parse-custom-attributes.ts';
import { mustBeFitForFactors, parseFactors } from './parse-factors.ts';
import { parseDisplayName, parsePhotoUrl } from './parse-profile.ts';

/** What changes of an account need beside the request. */
export interface ChangeContext {
  readonly nowMs: number;
  /** The new password, hashed; `undefined` when it stays. */
  readonly hash: JsonObject | undefined;
}

/** One part of what an administrator may change of an account: the account after it. */
type ChangeStep = (account: Account, fields: Fields, context: ChangeContext) => Account;

/** The account as a request of an administrator leaves it. What is deleted comes last. */
export function applyChange(account: Account, fields: Fields, context: ChangeContext): Account {
  const steps: readonly ChangeStep[] = [
    changeEmail,
    changePassword,
    changeProfile,
    changePhone,
    changeState,
    changeTimes,
    linkProvider,
    deleteAttributes,
    deleteProviders,
    changeFactors,
  ];
  return steps.reduce((changed, step) => step(changed, fields, context), account);
}

function changeEmail(account: Account, fields: Fields, { nowMs }: ChangeContext): Account {
  const text = fields.filled('email');
  const isEmailVerified = fields.flag('emailVerified');
  const email = text === undefined ? account.email : parseEmail(text);
  if (email === account.email)
    return { ...account, isEmailVerified: isEmailVerified ?? account.isEmailVerified };
  return {
    ...account,
    email,
    isEmailVerified: isEmailVerified ?? false,
    initialEmail: account.initialEmail ?? account.email,
    validSinceSec: Math.floor(nowMs / 1000),
  };
}

function changePassword(account: Account, _fields: Fields, { hash, nowMs }: ChangeContext): Account {
  if (hash === undefined) return account;
  return {
    ...account,
    password: hash,
    passwordUpdatedAtMs: nowMs,
    validSinceSec: Math.floor(nowMs / 1000),
  };
}

function changeProfile(account: Account, fields: Fields): Account {
  const displayName = parseDisplayName(fields);
  const photoUrl = parsePhotoUrl(fields);
  const customAttributes = parseCustomAttributes(fields);
  return {
    ...account,
    displayName: displayName === undefined ? account.displayName : displayName || null,
    photoUrl: photoUrl === undefined ? account.photoUrl : photoUrl || null,
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

function changeTimes(account: Account, fields: Fields): Account {
  return {
    ...account,
    validSinceSec: mustBePositive(fields, 'validSince') ?? account.validSinceSec,
    createdAtMs: mustBePositive(fields, 'createdAt') ?? account.createdAtMs,
    lastLoginAtMs: mustBePositive(fields, 'lastLoginAt') ?? account.lastLoginAtMs,
  };
}

function mustBePositive(fields: Fields, name: string): number | undefined {
  const time = fields.whole(name);
  if (time !== undefined && time < 0) throw new IdentityError('INVALID_ARGUMENT', `"${name}" must be a time.`);
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
  const identity = {
    providerId,
    rawId,
    email: info.filled('email') ?? null,
    displayName: info.filled('displayName') ?? null,
    photoUrl: info.filled('photoUrl') ?? null,
    screenName: info.filled('screenName') ?? null,
    wasLinkedVerified: account.isEmailVerified,
  };
  const others = account.identities.filter((other) => other.providerId !== providerId);
  return { ...account, identities: [...others, identity] };
}

const ATTRIBUTES = [
  'USER_ATTRIBUTE_NAME_UNSPECIFIED',
  'EMAIL',
  'DISPLAY_NAME',
  'PROVIDER',
  'PHOTO_URL',
  'PASSWORD',
  'RAW_USER_INFO',
] as const;

/** What an account lacks once an attribute of it is deleted. */
const WITHOUT: Readonly<Record<(typeof ATTRIBUTES)[number], Partial<Account>>> = {
  USER_ATTRIBUTE_NAME_UNSPECIFIED: {},
  EMAIL: { email: null, isEmailVerified: false, hasEmailLink: false },
  DISPLAY_NAME: { displayName: null },
  PROVIDER: { identities: [] },
  PHOTO_URL: { photoUrl: null },
  PASSWORD: { password: null, passwordUpdatedAtMs: null },
  // Hearth keeps no more of other providers' answers than what it shows.
  RAW_USER_INFO: {},
};

function deleteAttributes(account: Account, fields: Fields): Account {
  const given = fields.find('deleteAttribute') ?? [];
  return [given].flat().reduce<Account>((changed, item) => {
    const name = typeof item === 'number' ? ATTRIBUTES[item] : ATTRIBUTES.find((known) => known === item);
    if (name === undefined)
      throw new IdentityError('INVALID_ARGUMENT', `"deleteAttribute" takes ${ATTRIBUTES.join(', ')}.`);
    return { ...changed, ...WITHOUT[name] };
  }, account);
}

function deleteProviders(account: Account, fields: Fields): Account {
  return (fields.texts('deleteProvider') ?? []).reduce(deleteProvider, account);
}

function deleteProvider(account: Account, providerId: string): Account {
  switch (providerId) {
    case 'password': {
      const isSupplied = account.identities.some(({ email }) => email === account.email);
      const email = isSupplied ? {} : WITHOUT.EMAIL;
      return { ...account, ...WITHOUT.PASSWORD, ...email, hasEmailLink: false };
    }
    case 'phone':
      return { ...account, phoneNumber: null };
    default:
      return {
        ...account,
        identities: account.identities.filter((identity) => identity.providerId !== providerId),
      };
  }
}

/** Without second factors there is nothing that a recovery code could stand in for. */
function changeFactors(account: Account, fields: Fields, { nowMs }: ChangeContext): Account {
  const mfa = fields.object('mfa');
  if (mfa === undefined) return account;
  const present = account.factors;
  const factors = parseFactors(mfa.objects('enrollments') ?? [], { present, newId: null, nowMs });
  const changed = {
    ...account,
    factors,
    recoveryCodes: factors.length === 0 ? [] : account.recoveryCodes,
  };
  mustBeFitForFactors(changed);
  return changed;
}
