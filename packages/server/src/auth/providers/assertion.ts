import type { FederatedIdentity } from '../accounts/account.ts';
import type { JsonObject } from '../fields.ts';

/** The tokens that a provider issued at a sign-in. They are returned to the app and never stored. */
export interface ProviderTokens {
  readonly idToken?: string;
  readonly accessToken?: string;
  /** The secret of an OAuth 1 access token. */
  readonly accessTokenSecret?: string;
  readonly refreshToken?: string;
  readonly expiresInSec?: number;
}

/** The verified statements of a provider about a user. */
export interface ProviderAssertion {
  readonly providerId: string;
  /** The user's id at the provider. Together with `providerId` it identifies the user, and nothing else does. */
  readonly rawId: string;
  /** Other ids by which the provider knows the same user. Accounts from another service may be stored under one of them. */
  readonly otherRawIds: readonly string[];
  /** The user's id as a URL, for providers that have one; `rawId` for others. */
  readonly federatedId: string;
  /** Normalized by `parseEmail`. */
  readonly email: string | null;
  /** Whether the provider states that the user owns the address. The project decides whether to believe it. */
  readonly isEmailVerified: boolean;
  readonly displayName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly photoUrl: string | null;
  readonly screenName: string | null;
  /** The user's profile in the form of the provider. Clients show it as `additionalUserInfo.profile`. */
  readonly rawUserInfo: JsonObject;
  /** Claims or SAML attributes for `firebase.sign_in_attributes` of ID tokens; `null` for none. */
  readonly signInAttributes: JsonObject | null;
  readonly tokens: ProviderTokens;
}

/** Returns the identity that an account stores for an assertion. */
export function identityOf(
  { providerId, rawId, email, displayName, photoUrl, screenName }: ProviderAssertion,
  wasLinkedVerified: boolean,
): FederatedIdentity {
  return { providerId, rawId, email, displayName, photoUrl, screenName, wasLinkedVerified };
}

const KIND = 'identitytoolkit#VerifyAssertionResponse';

/** Returns the part of a sign-in response that describes the user at the provider. */
export function assertionJson(assertion: ProviderAssertion, isEmailVerified: boolean): JsonObject {
  const { email, displayName } = assertion;
  return {
    kind: KIND,
    providerId: assertion.providerId,
    federatedId: assertion.federatedId,
    email: email ?? undefined,
    emailVerified: email === null ? undefined : isEmailVerified,
    displayName: displayName ?? undefined,
    fullName: displayName ?? undefined,
    firstName: assertion.firstName ?? undefined,
    lastName: assertion.lastName ?? undefined,
    photoUrl: assertion.photoUrl ?? undefined,
    screenName: assertion.screenName ?? undefined,
    rawUserInfo: JSON.stringify(assertion.rawUserInfo),
  };
}

/** Returns the part of a sign-in response from which clients make a credential of the provider. */
export function credentialJson({ tokens }: ProviderAssertion): JsonObject {
  return {
    oauthIdToken: tokens.idToken,
    oauthAccessToken: tokens.accessToken,
    oauthTokenSecret: tokens.accessTokenSecret,
    oauthRefreshToken: tokens.refreshToken,
    oauthExpireIn: tokens.expiresInSec,
  };
}
