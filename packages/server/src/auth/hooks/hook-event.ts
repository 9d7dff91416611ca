import type { Account, SecondFactor } from '../accounts/account.ts';
import { userJson } from '../accounts/user-json.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { Hook, HookEvent } from '../projects/hook-settings.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { SignInClaims } from '../sign-in/session.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { tokenIssuer } from '../tokens/id-token.ts';

const EVENT_ID_BYTES = 16;
/** Lifetime of the token with an event, in s. */
const LIFETIME_SEC = 300;

/** A sign-in about which a function decides. */
export interface HookSubject {
  readonly event: HookEvent;
  readonly account: Account;
  readonly signInClaims: SignInClaims;
}

/**
 * Returns the claims of the token with an event, as the official service sends them. Issuer and key are those of ID
 * tokens. The audience is not that of ID tokens, so the server does not accept the token as one.
 */
export function hookEventClaims(
  { project, client, fields }: AuthRequest,
  { clock, randomBytes }: Pick<AuthServices, 'clock' | 'randomBytes'>,
  { uri, audience }: Hook,
  { event, account, signInClaims }: HookSubject,
): JsonObject {
  const nowSec = Math.floor(clock.nowMs() / 1_000);
  const { provider, secondFactor, signInAttributes } = signInClaims;
  return {
    iss: tokenIssuer('idToken', project.id),
    aud: audience ?? uri,
    iat: nowSec,
    exp: nowSec + LIFETIME_SEC,
    sub: account.uid,
    event_id: Buffer.from(randomBytes(EVENT_ID_BYTES)).toString('base64url'),
    event_type: event,
    user_agent: client.userAgent,
    ip_address: client.address,
    locale: client.locale,
    // Sessions do not distinguish a link in a mail from a password.
    sign_in_method: provider === 'password' && fields.has('oobCode') ? 'emailLink' : provider,
    sign_in_second_factor: secondFactor?.kind,
    sign_in_attributes: signInAttributes ?? undefined,
    tenant_id: project.scope.tenantId ?? undefined,
    user_record: userRecord(account, project.scope),
  };
}

function userRecord(account: Account, scope: AccountScope): JsonObject {
  const { createdAtMs, lastLoginAtMs, factors } = account;
  const infos: unknown = userJson(account, scope)['providerUserInfo'];
  return {
    uid: account.uid,
    email: account.email ?? undefined,
    email_verified: account.isEmailVerified,
    display_name: account.displayName ?? undefined,
    photo_url: account.photoUrl ?? undefined,
    disabled: account.isDisabled,
    phone_number: account.phoneNumber ?? undefined,
    custom_claims: account.customAttributes === null ? {} : JSON.parse(account.customAttributes),
    provider_data: Array.isArray(infos) ? infos.filter(isJsonObject).map(providerData) : [],
    ...(factors.length === 0 ? {} : { multi_factor: { enrolled_factors: factors.map(enrolledFactor) } }),
    metadata: { creation_time: createdAtMs, last_sign_in_time: lastLoginAtMs ?? undefined },
    tokens_valid_after_time: new Date(account.validSinceSec * 1_000).toISOString(),
  };
}

function providerData(info: JsonObject): JsonObject {
  return {
    provider_id: info['providerId'],
    uid: info['rawId'],
    email: info['email'],
    display_name: info['displayName'],
    photo_url: info['photoUrl'],
    phone_number: info['phoneNumber'],
  };
}

function enrolledFactor(factor: SecondFactor): JsonObject {
  return {
    uid: factor.enrollmentId,
    display_name: factor.displayName ?? undefined,
    enrollment_time: new Date(factor.enrolledAtMs).toISOString(),
    ...(factor.kind === 'phone'
      ? { factor_id: 'phone', phone_number: factor.phoneNumber }
      : { factor_id: 'totp' }),
  };
}
