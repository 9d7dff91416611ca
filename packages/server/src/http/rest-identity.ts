import { Refusal } from '@hearth/core/fault/refusal.ts';
import { GUEST, type Identity } from '../identity/identity.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';

/** Who checks which credential of a REST request. */
export interface RestVerifiers {
  /** For `auth`: tokens of users, and passwords of administrators. */
  readonly token: CredentialVerifier;
  /** For `Authorization: Bearer` and `access_token`: administrators only. */
  readonly bearer: CredentialVerifier;
}

/** Who makes a REST request. The header counts before the parameters, `access_token` before `auth`. */
export async function identify(
  authorization: string | undefined,
  query: URLSearchParams,
  verifiers: RestVerifiers,
): Promise<Identity> {
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw new Refusal('auth/admin-only');
    return verifiers.bearer.verify({ token });
  }
  const accessToken = query.get('access_token');
  if (accessToken !== null) return verifiers.bearer.verify({ token: accessToken });
  const token = query.get('auth');
  return token === null ? GUEST : verifiers.token.verify({ token });
}
