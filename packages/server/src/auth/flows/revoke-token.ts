import { AuthApiError, AuthOverload } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { providerNotEnabled } from '../providers/idp-request.ts';
import { requireProvider } from '../providers/verified-credential.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { readCurrentUser } from '../sign-in/current-user.ts';
import { failureOf } from './flow-failure.ts';
import { findOAuthProvider, type RevocableKind, revokeAtProvider } from './provider-client.ts';

/** The provider for which apps must revoke tokens when a user deletes the account. */
const APPLE = 'apple.com';
/** Longest token, code and address, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 4_096;
const BUSY_SEC = 5;

const KINDS: ReadonlyMap<string, RevocableKind> = new Map([
  ['ACCESS_TOKEN', 'access_token'],
  ['REFRESH_TOKEN', 'refresh_token'],
  ['CODE', 'code'],
]);

/**
 * `accounts:revokeToken`: revokes a token of the signed-in user at Apple, or the tokens of a code that a native app got
 * from Apple. Fields: `providerId`, `tokenType`, `token`, `idToken`, `redirectUri`. In development mode, where Apple issued no
 * token, nothing is revoked.
 */
export async function revokeToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project, client } = call;
  services.throttle.requireRequestAllowed(call);
  if (fields.filled('providerId') !== APPLE) throw new AuthApiError('INVALID_PROVIDER_ID');
  const kind = KINDS.get(fields.filled('tokenType') ?? '');
  if (kind === undefined) throw new AuthApiError('INVALID_REQ_TYPE', 'The type of the token is unknown.');
  const token = requireShort(fields.require('token', 'INVALID_ARGUMENT', '"token" is missing.'), 'token');
  const redirectUri = requireShort(fields.filled('redirectUri') ?? '', 'redirectUri');
  await readCurrentUser(call, services);
  if (services.isDevelopment) return {};
  const config = requireProvider(call, services, APPLE);
  if (config.kind === 'saml' || findOAuthProvider(config) === undefined) throw providerNotEnabled();
  try {
    const cause = { scope: project.scope, network: client.network, organization: null };
    await revokeAtProvider(services, config, { token, kind, redirectUri }, cause);
  } catch (cause) {
    const failure = failureOf(cause);
    if (failure.kind === 'overload') throw new AuthOverload(BUSY_SEC);
    const detail = `${APPLE}: a token was not revoked: ${failure.reason}`;
    recordAudit(services, call, 'provider_unavailable', null, { result: 'rejected', detail });
    throw new AuthApiError('INVALID_IDP_RESPONSE', 'Apple did not revoke the token.', { cause });
  }
  return {};
}

function requireShort(text: string, name: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new AuthApiError('INVALID_ARGUMENT', `"${name}" has more than ${MAX_TEXT_LENGTH} characters.`);
  return text;
}
