import type { JsonObject } from '../fields.ts';
import { passkeyJson } from '../passkeys/passkey.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { Account, FederatedIdentity, SecondFactor } from './account.ts';

/**
 * A placeholder for the password hash: its presence shows clients that the account has a password. Base64 of
 * `REDACTED`.
 */
const REDACTED_HASH = 'UkVEQUNURUQ=';

/**
 * Returns an account as the API shows it. Fields without a value are `undefined` and so are omitted from the
 * JSON: clients treat the mere presence of some fields as true.
 */
export function userJson(account: Account, { tenantId }: AccountScope): JsonObject {
  const { email, lastLoginAtMs, lastRefreshAtMs } = account;
  return {
    localId: account.uid,
    tenantId: tenantId ?? undefined,
    email: email ?? undefined,
    emailVerified: email === null ? undefined : account.isEmailVerified,
    displayName: account.displayName ?? undefined,
    photoUrl: account.photoUrl ?? undefined,
    phoneNumber: account.phoneNumber ?? undefined,
    passwordHash: account.password === null ? undefined : REDACTED_HASH,
    passwordUpdatedAt: account.passwordUpdatedAtMs ?? undefined,
    providerUserInfo: providerUserInfo(account),
    validSince: String(account.validSinceSec),
    disabled: account.isDisabled || undefined,
    createdAt: String(account.createdAtMs),
    lastLoginAt: lastLoginAtMs === null ? undefined : String(lastLoginAtMs),
    lastRefreshAt: lastRefreshAtMs === null ? undefined : new Date(lastRefreshAtMs).toISOString(),
    customAuth: account.isCustomAuth || undefined,
    customAttributes: account.customAttributes ?? undefined,
    emailLinkSignin: account.hasEmailLink || undefined,
    initialEmail: account.initialEmail ?? undefined,
    mfaInfo: account.factors.map(factorJson),
    passkeyInfo: account.passkeys.length === 0 ? undefined : account.passkeys.map(passkeyJson),
  };
}

/** Returns the sign-in methods of an account in the form that clients expect. */
function providerUserInfo(account: Account): readonly JsonObject[] {
  const { email, phoneNumber, password, hasEmailLink } = account;
  const infos: JsonObject[] = [];
  if (email !== null && (password !== null || hasEmailLink))
    infos.push({
      providerId: 'password',
      rawId: email,
      federatedId: email,
      email,
      displayName: account.displayName ?? undefined,
      photoUrl: account.photoUrl ?? undefined,
    });
  infos.push(...account.identities.map(identityJson));
  if (phoneNumber !== null) infos.push({ providerId: 'phone', rawId: phoneNumber, phoneNumber });
  return infos;
}

function identityJson({ providerId, rawId, ...profile }: FederatedIdentity): JsonObject {
  return {
    providerId,
    rawId,
    email: profile.email ?? undefined,
    displayName: profile.displayName ?? undefined,
    photoUrl: profile.photoUrl ?? undefined,
    screenName: profile.screenName ?? undefined,
    federatedId: rawId,
  };
}

/** Returns a second factor as the API shows it, without its secret. */
export function factorJson(factor: SecondFactor): JsonObject {
  const shared = {
    mfaEnrollmentId: factor.enrollmentId,
    displayName: factor.displayName ?? undefined,
    enrolledAt: new Date(factor.enrolledAtMs).toISOString(),
  };
  switch (factor.kind) {
    case 'totp':
      return { ...shared, totpInfo: {} };
    case 'phone':
      return { ...shared, phoneInfo: factor.phoneNumber, unobfuscatedPhoneInfo: factor.phoneNumber };
    default:
      return factor satisfies never;
  }
}

/**
 * Returns a second factor as a client sees it that has not proven it yet: of a phone number, only the last four digits.
 */
export function hintJson(factor: SecondFactor): JsonObject {
  if (factor.kind !== 'phone') return factorJson(factor);
  const { unobfuscatedPhoneInfo: _hidden, ...shown } = factorJson(factor);
  return { ...shown, phoneInfo: factor.phoneNumber.replace(/\d(?=\d{4})/g, '*') };
}

/** Returns the response to a change of an account: a part of `userJson`. */
export function updatedAccountJson(account: Account): JsonObject {
  const { uid, email, isEmailVerified, displayName, photoUrl, password } = account;
  return {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: uid,
    email: email ?? undefined,
    emailVerified: email === null ? undefined : isEmailVerified,
    displayName: displayName ?? undefined,
    photoUrl: photoUrl ?? undefined,
    providerUserInfo: providerUserInfo(account),
    passwordHash: password === null ? undefined : REDACTED_HASH,
  };
}
