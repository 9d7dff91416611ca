import type { Account, FederatedIdentity, SecondFactor } from './account.ts';
import type { JsonObject } from './fields.ts';

/** Stands for a hash: that it is there tells clients that the account has a password. Base64 of `REDACTED`. */
export const REDACTED_HASH = 'UkVEQUNURUQ=';

/** An account as the interface shows it: members that say nothing are left out. */
export function userJson(account: Account): JsonObject {
  const { email, phoneNumber, displayName, photoUrl, password } = account;
  return withoutNothing({
    localId: account.uid,
    email,
    emailVerified: email === null ? null : account.isEmailVerified,
    displayName,
    photoUrl,
    phoneNumber,
    passwordHash: password === null ? null : REDACTED_HASH,
    passwordUpdatedAt: account.passwordUpdatedAtMs,
    providerUserInfo: providerUserInfo(account),
    validSince: String(account.validSinceSec),
    disabled: account.isDisabled || null,
    createdAt: String(account.createdAtMs),
    lastLoginAt: account.lastLoginAtMs === null ? null : String(account.lastLoginAtMs),
    lastRefreshAt: account.lastRefreshAtMs === null ? null : new Date(account.lastRefreshAtMs).toISOString(),
    customAuth: account.isCustomAuth || null,
    customAttributes: account.customAttributes,
    emailLinkSignin: account.hasEmailLink || null,
    initialEmail: account.initialEmail,
    mfaInfo: account.factors.map(factorJson),
  });
}

/** The ways to sign in to an account, as clients list them. */
export function providerUserInfo(account: Account): readonly JsonObject[] {
  const { email, phoneNumber, displayName, photoUrl, password, hasEmailLink } = account;
  const infos: JsonObject[] = [];
  if (email !== null && (password !== null || hasEmailLink))
    infos.push({ providerId: 'password', rawId: email, federatedId: email, email, displayName, photoUrl });
  infos.push(...account.identities.map(identityJson));
  if (phoneNumber !== null) infos.push({ providerId: 'phone', rawId: phoneNumber, phoneNumber });
  return infos.map(withoutNothing);
}

function identityJson({ wasLinkedVerified: _was, ...identity }: FederatedIdentity): JsonObject {
  return { ...identity, federatedId: identity.rawId };
}

/** A factor as whoever is signed in may see it. */
export function factorJson(factor: SecondFactor): JsonObject {
  const shared = {
    mfaEnrollmentId: factor.enrollmentId,
    displayName: factor.displayName,
    enrolledAt: new Date(factor.enrolledAtMs).toISOString(),
  };
  switch (factor.kind) {
    case 'totp':
      return withoutNothing({ ...shared, totpInfo: {} });
    case 'phone':
      return withoutNothing({
        ...shared,
        phoneInfo: factor.phoneNumber,
        unobfuscatedPhoneInfo: factor.phoneNumber,
      });
    default:
      return factor satisfies never;
  }
}

/** Clients take the mere presence of some members for their truth. */
export function withoutNothing(json: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== null && value !== undefined),
  );
}
