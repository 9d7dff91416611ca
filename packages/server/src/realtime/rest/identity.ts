import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { DatabaseAppCheck } from '../../access/app-check.ts';
import { ANONYMOUS, findExpiryMs, type Principal } from '../../access/principal.ts';
import { isAdministrator, isReadOnlyCaller } from '../../access/rights.ts';
import type { CredentialVerifier, DatabaseResource } from '../../access/verifier.ts';
import { parseOverrideParameter } from './parameters.ts';

/** The verifiers for the credentials of REST requests. */
export interface RestVerifiers {
  /** Verifies `auth`: tokens of users and passwords of administrators. */
  readonly token: CredentialVerifier;
  /** Verifies `Authorization: Bearer` and `access_token`: administrators only. */
  readonly bearer: CredentialVerifier;
}

/**
 * Returns the principal of a REST request to a database. Returns it without a promise if the request has no
 * credential. The header takes precedence over the parameters, and `access_token` over `auth`. Throws
 * `auth/admin-only` if the header is not a bearer token.
 */
export function authenticate(
  authorization: string | undefined,
  query: URLSearchParams,
  verifiers: RestVerifiers,
  resource: DatabaseResource,
): Principal | Promise<Principal> {
  const override = parseOverrideParameter(query, 'auth_variable_override');
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw new RequestError('auth/admin-only');
    return verifiers.bearer.verify({ token, ...override }, resource);
  }
  const accessToken = query.get('access_token');
  if (accessToken !== null) return verifiers.bearer.verify({ token: accessToken, ...override }, resource);
  const token = query.get('auth');
  return token === null ? ANONYMOUS : verifiers.token.verify({ token, ...override }, resource);
}

/** Returns whether the credential of a principal can become invalid or lose rights. */
export function canBecomeInvalid(identity: Principal): boolean {
  return identity.kind !== 'guest' && (identity.grant !== undefined || findExpiryMs(identity) !== null);
}

/**
 * Verifies a credential again. Throws `auth/role` if its kind of principal or its write access has changed.
 */
export async function requireSameAccess(
  identity: Principal,
  verify: () => Principal | Promise<Principal>,
): Promise<void> {
  const now = await verify();
  if (now.kind !== identity.kind || isReadOnlyCaller(now) !== isReadOnlyCaller(identity))
    throw new RequestError('auth/role');
}

/** The parts of a REST request that App Check needs. */
interface CheckedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly namespace: string;
  readonly identity: Principal;
  readonly addressOf: () => string;
}

/** The part of the services that checks apps. */
export interface AppCheckServices {
  readonly appChecks: DatabaseAppCheck;
}

/**
 * Returns when the App Check token of a request expires: 0 if it has none or the server ignores tokens, and infinity if
 * it needs none. The header takes precedence over the parameter. Throws `app-check/missing` or `app-check/invalid` if
 * the database requires a token.
 */
export function checkApp(
  checks: DatabaseAppCheck,
  { headers, query, namespace, identity, addressOf }: CheckedRequest,
): number {
  // Only administrators have such credentials.
  if (headers.authorization !== undefined || query.has('access_token') || isAdministrator(identity))
    return Number.POSITIVE_INFINITY;
  const mode = checks.modeOf(namespace);
  if (mode === 'off') return 0;
  const header = headers['x-firebase-appcheck'];
  const result = checks.check(namespace, typeof header === 'string' ? header : query.get('ac'));
  if (result.kind === 'valid') return result.expiresAtMs;
  if (mode === 'monitor') return 0;
  checks.recordRejection(namespace, result.kind, addressOf());
  throw new RequestError(`app-check/${result.kind}`);
}
