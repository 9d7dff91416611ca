import { RequestError } from '@hearth/core/error/request-error.ts';
import { ANONYMOUS, findExpiryMs, type Principal } from '../../access/principal.ts';
import { isReadOnlyCaller } from '../../access/rights.ts';
import type { CredentialVerifier, DatabaseResource } from '../../access/verifier.ts';
import { parseOverrideParameter } from './parameters.ts';

/** Who checks which credential of a REST request. */
export interface RestVerifiers {
  /** For `auth`: tokens of users, and passwords of administrators. */
  readonly token: CredentialVerifier;
  /** For `Authorization: Bearer` and `access_token`: administrators only. */
  readonly bearer: CredentialVerifier;
}

/**
 * Who makes a REST request, as far as the realm is concerned: known at once of those who say nothing of themselves. The header
 * counts before the parameters, `access_token` before `auth`.
 */
export function identify(
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

/** Can somebody's credential come to count no more, or for less? */
export function mayEnd(identity: Principal): boolean {
  return identity.kind !== 'guest' && (identity.grant !== undefined || findExpiryMs(identity) !== null);
}

/** Refuses when a credential does not stand any more for whom it stood. */
export async function requireStill(
  identity: Principal,
  verify: () => Principal | Promise<Principal>,
): Promise<void> {
  const now = await verify();
  if (now.kind !== identity.kind || isReadOnlyCaller(now) !== isReadOnlyCaller(identity))
    throw new RequestError('auth/role');
}
