import type { SmsPurpose } from '../../sms/text-message.ts';
import type { Account, SecondFactor } from '../accounts/account.ts';
import { userJson } from '../accounts/user-json.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { findAt } from '../projects/config-fields.ts';
import type { AccountEvent, Hook } from '../projects/hook-settings.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { credentialJson, type ProviderAssertion } from '../providers/assertion.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { SignInClaims } from '../sign-in/session.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { tokenIssuer } from '../tokens/id-token.ts';

const EVENT_ID_BYTES = 16;
/** Lifetime of the token with an event, in s. */
const LIFETIME_SEC = 300;

/** A sign-in about which a function decides. */
export interface AccountSubject {
  readonly event: AccountEvent;
  readonly account: Account;
  readonly signInClaims: SignInClaims;
  /** The statement of another provider about the user who signs in with it. */
  readonly assertion?: ProviderAssertion;
}

/** A message with a code about which a function decides. It does not name the account, and there may be none. */
export type MessageSubject =
  | {
      readonly event: 'beforeSendEmail';
      readonly email: string;
      readonly emailType: 'EMAIL_SIGN_IN' | 'PASSWORD_RESET';
    }
  | { readonly event: 'beforeSendSms'; readonly phoneNumber: string; readonly smsType: SmsPurpose };

/**
 * Returns the claims of the token with an event, as the official service sends them. Issuer and key are those of ID
 * tokens. The audience is not that of ID tokens, so the server does not accept the token as one.
 */
export function hookEventClaims(
  { project, client, fields }: AuthRequest,
  { clock, randomBytes }: Pick<AuthServices, 'clock' | 'randomBytes'>,
  { uri, audience }: Hook,
  subject: AccountSubject | MessageSubject,
): JsonObject {
  const nowSec = Math.floor(clock.nowMs() / 1_000);
  const shared = {
    iss: tokenIssuer('idToken', project.id),
    aud: audience ?? uri,
    iat: nowSec,
    exp: nowSec + LIFETIME_SEC,
    event_id: Buffer.from(randomBytes(EVENT_ID_BYTES)).toString('base64url'),
    event_type: subject.event,
    user_agent: client.userAgent,
    ip_address: client.address,
    locale: client.locale,
    tenant_id: project.scope.tenantId ?? undefined,
  };
  switch (subject.event) {
    case 'beforeSendEmail':
      return { ...shared, email: subject.email, email_type: subject.emailType };
    case 'beforeSendSms':
      return { ...shared, phone_number: subject.phoneNumber, sms_type: subject.smsType };
    case 'beforeCreate':
    case 'beforeSignIn':
      return { ...shared, ...accountClaims(subject, project, fields.has('oobCode')) };
    default:
      return subject satisfies never;
  }
}

function accountClaims(
  { account, signInClaims, assertion }: AccountSubject,
  { scope, settings }: AuthRequest['project'],
  hasMailedCode: boolean,
): JsonObject {
  const { provider, secondFactor, signInAttributes } = signInClaims;
  return {
    sub: account.uid,
    // Sessions do not distinguish a link in a mail from a password.
    sign_in_method: provider === 'password' && hasMailedCode ? 'emailLink' : provider,
    sign_in_second_factor: secondFactor?.kind,
    sign_in_attributes: signInAttributes ?? undefined,
    ...(assertion === undefined ? {} : providerClaims(assertion, settings)),
    user_record: userRecord(account, scope),
  };
}

/** Returns the profile of the user at a provider, and of the provider's tokens those that the project forwards. */
function providerClaims(assertion: ProviderAssertion, { otherConfig }: ProjectSettings): JsonObject {
  const isForwarded = (name: string): boolean =>
    findAt(otherConfig, ['blockingFunctions', 'forwardInboundCredentials', name]) === true;
  const { oauthIdToken, oauthAccessToken, oauthTokenSecret, oauthRefreshToken, oauthExpireIn } =
    credentialJson(assertion);
  return {
    raw_user_info: JSON.stringify(assertion.rawUserInfo),
    ...(isForwarded('idToken') ? { oauth_id_token: oauthIdToken } : {}),
    ...(isForwarded('accessToken')
      ? {
          oauth_access_token: oauthAccessToken,
          oauth_token_secret: oauthTokenSecret,
          oauth_expires_in: oauthExpireIn,
        }
      : {}),
    ...(isForwarded('refreshToken') ? { oauth_refresh_token: oauthRefreshToken } : {}),
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
    tenant_id: scope.tenantId ?? undefined,
    // In seconds: the official library multiplies by 1,000.
    tokens_valid_after_time: account.validSinceSec,
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
