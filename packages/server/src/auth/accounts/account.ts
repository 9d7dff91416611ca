import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { decodePasskey, encodePasskey, type Passkey } from '../passkeys/passkey.ts';
import { StoredRecord } from '../stored-record.ts';

/** An identity at another provider with which the user may sign in. Unique by provider and id. */
export interface FederatedIdentity {
  readonly providerId: string;
  /** The user's id at the provider. */
  readonly rawId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly photoUrl: string | null;
  readonly screenName: string | null;
  /** Whether the account's own address was verified when the identity was linked. */
  readonly wasLinkedVerified: boolean;
}

/** A second factor that the account requires at sign-in. */
export type SecondFactor = {
  readonly enrollmentId: string;
  readonly displayName: string | null;
  readonly enrolledAtMs: number;
} & (
  | { readonly kind: 'totp'; readonly sealedSecret: string; readonly lastStep: number }
  | { readonly kind: 'phone'; readonly phoneNumber: string }
);

/** The account of a user of a project's app. */
export interface Account {
  /** Unique in the scope, 1 to 128 characters. */
  readonly uid: string;
  /** Normalized by `parseEmail`. Unique in the scope. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly displayName: string | null;
  readonly photoUrl: string | null;
  /** In E.164 format. Unique in the scope. */
  readonly phoneNumber: string | null;
  /** The password, encoded by `encodePasswordHash`. */
  readonly password: JsonObject | null;
  readonly passwordUpdatedAtMs: number | null;
  /**
   * Whether the password was set with a code mailed to the address. If so, only readers of that mailbox know
   * the password.
   */
  readonly isPasswordProven: boolean;
  readonly isDisabled: boolean;
  /** JSON text of an object: custom claims that the tokens carry in addition to Hearth's own claims. */
  readonly customAttributes: string | null;
  /** Tokens issued before this second are revoked. */
  readonly validSinceSec: number;
  readonly createdAtMs: number;
  readonly lastLoginAtMs: number | null;
  readonly lastRefreshAtMs: number | null;
  /** The address that the account had before its address first changed. */
  readonly initialEmail: string | null;
  /** Whether the user has ever signed in with an email link. */
  readonly hasEmailLink: boolean;
  /** Whether a custom token created the account. */
  readonly isCustomAuth: boolean;
  readonly identities: readonly FederatedIdentity[];
  readonly factors: readonly SecondFactor[];
  /** Hashes of the recovery codes that replace a lost second factor. Each code works once. */
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
  /** The random id by which authenticators store the account, 32 bytes in base64url; `null` before the first passkey. */
  readonly passkeyHandle: string | null;
}

/** Returns whether the account is anonymous: it has no means by which the user could sign in to it again. */
export function isAnonymous(account: Account): boolean {
  const { email, phoneNumber, password, isCustomAuth, identities, passkeys } = account;
  return (
    email === null &&
    phoneNumber === null &&
    password === null &&
    !isCustomAuth &&
    identities.length === 0 &&
    passkeys.length === 0
  );
}

/** Creates an account that has nothing but a user id. */
export function emptyAccount(uid: string, nowMs: number): Account {
  return {
    uid,
    email: null,
    isEmailVerified: false,
    displayName: null,
    photoUrl: null,
    phoneNumber: null,
    password: null,
    passwordUpdatedAtMs: null,
    isPasswordProven: false,
    isDisabled: false,
    customAttributes: null,
    validSinceSec: Math.floor(nowMs / 1000),
    createdAtMs: nowMs,
    lastLoginAtMs: null,
    lastRefreshAtMs: null,
    initialEmail: null,
    hasEmailLink: false,
    isCustomAuth: false,
    identities: [],
    factors: [],
    recoveryCodes: [],
    passkeys: [],
    passkeyHandle: null,
  };
}

/**
 * Encodes an account for `accounts/<uid>` in the records of its project: the members of `Account`. Lists become
 * objects with a letter and the position as keys, such as `i0`.
 */
export function encodeAccount(account: Account): JsonObject {
  const { uid: _uid, identities, factors, recoveryCodes, passkeys, ...rest } = account;
  return {
    ...rest,
    identities: Object.fromEntries(identities.map((identity, index) => [`i${index}`, identity])),
    factors: Object.fromEntries(factors.map((factor, index) => [`f${index}`, factor])),
    recoveryCodes: Object.fromEntries(recoveryCodes.map((code, index) => [`c${index}`, code])),
    passkeys: Object.fromEntries(passkeys.map((passkey, index) => [`p${index}`, encodePasskey(passkey)])),
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
    passkeys: record.list('passkeys').map(decodePasskey),
    passkeyHandle: record.text('passkeyHandle'),
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

/** Returns an account without its address. Sign-in by a mailed link is no longer possible. */
export function withoutEmail(account: Account): Account {
  return {
    ...account,
    email: null,
    isEmailVerified: false,
    isPasswordProven: false,
    hasEmailLink: false,
    initialEmail: account.initialEmail ?? account.email,
  };
}

/**
 * Returns an account with an address, which may be its current one. `initialEmail` keeps the address from
 * before the first change, if any. With a new address that is not verified, the identities count as linked by a user
 * who has not proven the address.
 */
export function withEmail(account: Account, email: string, isEmailVerified: boolean): Account {
  if (email === account.email) return { ...account, isEmailVerified };
  return {
    ...account,
    email,
    isEmailVerified,
    isPasswordProven: false,
    initialEmail: account.initialEmail ?? account.email,
    identities: isEmailVerified
      ? account.identities
      : account.identities.map((identity) => ({ ...identity, wasLinkedVerified: false })),
  };
}

/**
 * Returns an account with another password, encoded by `encodePasswordHash`, and marks the password as not set with a
 * mailed code.
 */
export function withPassword(account: Account, password: JsonObject, nowMs: number): Account {
  return { ...account, password, passwordUpdatedAtMs: nowMs, isPasswordProven: false };
}

/** Less than the clock difference that verifiers tolerate. */
const MAX_AHEAD_SEC = 30;

type Validity = Pick<Account, 'validSinceSec'>;

/**
 * Returns the `validSinceSec` that revokes all existing tokens of an account. It is later than the current second, in which
 * the server may have issued tokens, and later than the previous `validSinceSec`, which may be ahead of the clock.
 */
export function nextValidSince({ validSinceSec }: Validity, nowMs: number): number {
  return Math.max(secondOf(nowMs), validSinceSec) + 1;
}

/**
 * Like `nextValidSince`, for a change that returns new tokens to the caller. Returns the earliest second that is
 * not past, and is after the caller's token and after the last revocation. In the same second, the new ID token
 * could be identical to the caller's, and a client that receives the same ID token again keeps its old refresh
 * token. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the second is too far ahead, because the new tokens are issued
 * in it.
 */
export function nextValidSinceOf(
  { validSinceSec }: Validity,
  { issuedAtSec }: { readonly issuedAtSec: number },
  nowMs: number,
): number {
  const nowSec = secondOf(nowMs);
  const nextSec = Math.max(nowSec, validSinceSec + 1, issuedAtSec + 1);
  if (nextSec > nowSec + MAX_AHEAD_SEC)
    throw new AuthApiError(
      'TOO_MANY_ATTEMPTS_TRY_LATER',
      'The account was changed too often. Wait a minute.',
    );
  return nextSec;
}

function secondOf(timeMs: number): number {
  return Math.floor(timeMs / 1_000);
}
