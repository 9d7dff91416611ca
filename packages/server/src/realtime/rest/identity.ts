import { Refusal } from '@hearth/core/error/request-error.ts';
import { findExpiryMs, GUEST, type Identity } from '../../access/principal.ts';
import { onlyLooks } from '../../access/rights.ts';
import type { CredentialVerifier, DatabaseRealm } from '../../access/verifier.ts';
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
  realm: DatabaseRealm,
): Identity | Promise<Identity> {
  const override = parseOverrideParameter(query, 'auth_variable_override');
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw new Refusal('auth/admin-only');
    return verifiers.bearer.verify({ token, ...override }, realm);
  }
  const accessToken = query.get('access_token');
  if (accessToken !== null) return verifiers.bearer.verify({ token: accessToken, ...override }, realm);
  const token = query.get('auth');
  return token === null ? GUEST : verifiers.token.verify({ token, ...override }, realm);
}

/** Can somebody's credential come to count no more, or for less? */
export function mayEnd(identity: Identity): boolean {
  return identity.kind !== 'guest' && (identity.grant !== undefined || findExpiryMs(identity) !== null);
}

/** Refuses when a credential does not stand any more for whom it stood. */
export async function mustStillBe(
  identity: Identity,
  verify: () => Identity | Promise<Identity>,
): Promise<void> {
  const now = await verify();
  if (now.kind !== identity.kind || onlyLooks(now) !== onlyLooks(identity)) throw new Refusal('auth/role');
}
