import type { Account, FederatedIdentity, SecondFactor } from './account.ts';
import type { JsonObject } from './fields.ts';
import { StoredRecord } from './stored-record.ts';

/**
 * An account as it is kept at `accounts/<uid>` in the book of its project: the members of `Account`, without those that say
 * nothing. Lists are objects of their positions.
 */
export function encodeAccount(account: Account): JsonObject {
  const { uid: _uid, identities, factors, recoveryCodes, ...rest } = account;
  return {
    ...rest,
    identities: Object.fromEntries(identities.map((identity, index) => [`i${index}`, identity])),
    factors: Object.fromEntries(factors.map((factor, index) => [`f${index}`, factor])),
    recoveryCodes: Object.fromEntries(recoveryCodes.map((code, index) => [`c${index}`, code])),
  };
}

export function decodeAccount(uid: string, json: unknown): Account {
  const record = new StoredRecord(json);
  return {
    uid,
    email: record.text('email'),
    isEmailVerified: record.flag('isEmailVerified'),
    displayName: record.text('displayName'),
    photoUrl: record.text('photoUrl'),
    phoneNumber: record.text('phoneNumber'),
    password: record.object('password'),
    passwordUpdatedAtMs: record.number('passwordUpdatedAtMs'),
    isPasswordProven: record.flag('isPasswordProven'),
    isDisabled: record.flag('isDisabled'),
    customAttributes: record.text('customAttributes'),
    validSinceSec: record.number('validSinceSec') ?? 0,
    createdAtMs: record.number('createdAtMs') ?? 0,
    lastLoginAtMs: record.number('lastLoginAtMs'),
    lastRefreshAtMs: record.number('lastRefreshAtMs'),
    initialEmail: record.text('initialEmail'),
    hasEmailLink: record.flag('hasEmailLink'),
    isCustomAuth: record.flag('isCustomAuth'),
    identities: record.list('identities').map(decodeIdentity),
    factors: record.list('factors').map(decodeFactor),
    recoveryCodes: record.list('recoveryCodes').filter((code) => typeof code === 'string'),
  };
}

function decodeIdentity(json: unknown): FederatedIdentity {
  const record = new StoredRecord(json);
  return {
    providerId: record.text('providerId') ?? '',
    rawId: record.text('rawId') ?? '',
    email: record.text('email'),
    displayName: record.text('displayName'),
    photoUrl: record.text('photoUrl'),
    screenName: record.text('screenName'),
    wasLinkedVerified: record.flag('wasLinkedVerified'),
  };
}

function decodeFactor(json: unknown): SecondFactor {
  const record = new StoredRecord(json);
  const factor = {
    enrollmentId: record.text('enrollmentId') ?? '',
    displayName: record.text('displayName'),
    enrolledAtMs: record.number('enrolledAtMs') ?? 0,
  };
  const phoneNumber = record.text('phoneNumber');
  if (phoneNumber !== null) return { ...factor, kind: 'phone', phoneNumber };
  return {
    ...factor,
    kind: 'totp',
    sealedSecret: record.text('sealedSecret') ?? '',
    lastStep: record.number('lastStep') ?? 0,
  };
}
