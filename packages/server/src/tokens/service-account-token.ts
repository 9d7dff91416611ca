import { createPublicKey } from 'node:crypto';
import type { Claims } from './claims.ts';
import { parseJwt } from './jwt-text.ts';
import type { FindServiceAccount, ServiceAccount } from './service-account.ts';
import { verifySignature } from './verify-signature.ts';

/** A token that a service account has signed. */
export interface ServiceAccountToken {
  readonly account: ServiceAccount;
  /** The key that signed it. */
  readonly keyId: string;
  readonly claims: Claims;
}

/** Verifies the signature of a token by the account it names as issuer; `undefined` when that cannot be done. */
export async function verifyServiceAccountToken(
  token: string,
  findAccount: FindServiceAccount,
): Promise<ServiceAccountToken | undefined> {
  const named = findNames(token);
  const account = named && findAccount(named.issuer);
  if (named === undefined || account === undefined) return undefined;
  // Libraries may leave the id of the key out.
  const keys =
    named.keyId === undefined ? account.keys : account.keys.filter((key) => key.keyId === named.keyId);
  for (const { keyId, publicKey } of keys) {
    const claims = await verifySignature(token, () => createPublicKey(publicKey));
    if (claims !== undefined) return { account, keyId, claims };
  }
  return undefined;
}

/** Which account and key to try, from what is not verified yet. */
function findNames(
  token: string,
): { readonly issuer: string; readonly keyId: string | undefined } | undefined {
  try {
    const { header, claims } = parseJwt(token);
    const issuer = claims['iss'];
    const keyId = header['kid'];
    if (typeof issuer !== 'string') return undefined;
    return { issuer, keyId: typeof keyId === 'string' ? keyId : undefined };
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
