import { createHmac, createPublicKey, timingSafeEqual } from 'node:crypto';
import type { AdminRole } from '@hearth/core/api/service-account.ts';
import { deriveKey, type SecretKey } from '../../platform/secret-key.ts';
import type { FindServiceAccount, ServiceAccount } from '../projects/service-account.ts';
import { type Claims, parseClaims, parseJwt, TokenProblem, verifySignature } from './jwt.ts';

/** A token that a service account has signed. */
export interface ServiceAccountToken {
  readonly account: ServiceAccount;
  /** Id of the key that signed the token. */
  readonly keyId: string;
  readonly claims: Claims;
}

/**
 * Verifies the signature of a token with the keys of the account that it names as issuer. Returns `undefined`
 * if verification fails.
 */
export async function verifyServiceAccountToken(
  token: string,
  findAccount: FindServiceAccount,
): Promise<ServiceAccountToken | undefined> {
  const named = findNames(token);
  const account = named && findAccount(named.issuer);
  if (named === undefined || account === undefined) return undefined;
  // Libraries may omit the key id.
  const keys =
    named.keyId === undefined ? account.keys : account.keys.filter((key) => key.keyId === named.keyId);
  for (const { keyId, publicKey } of keys) {
    const claims = await verifySignature(token, () => createPublicKey(publicKey));
    if (claims !== undefined) return { account, keyId, claims };
  }
  return undefined;
}

/** Returns the account and the key that a token names, before it is verified. */
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

/** Prefix of every access token, and of no other kind of token. */
const PREFIX = 'hearth-access-1.';
const MAX_LENGTH = 1_024;
const LIFETIME_SEC = 3_600;

/** Lifetime that clients receive: one second less, so that they renew in time. */
export const ACCESS_TOKEN_EXPIRES_IN_SEC = LIFETIME_SEC - 1;

/** The rights of an access token, and their holder. */
export interface AdminGrant {
  readonly projectId: string;
  readonly serviceAccount: string;
  /** The key with which the token was obtained. */
  readonly keyId: string;
  readonly roles: readonly AdminRole[];
  readonly expiresAtMs: number;
}

/** Returns whether `AccessTokens` verifies this kind of token. Tokens of users have another form. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Issues and verifies access tokens of service accounts. Shape: prefix, JSON in base64url, a dot, HMAC-SHA-256
 * of the text before the dot in base64url. The MAC key is derived for this purpose only. The JSON contains
 * account, key, and expiry in seconds.
 */
export class AccessTokens {
  readonly #key: SecretKey;
  readonly #findAccount: FindServiceAccount;
  readonly #nowMs: () => number;

  constructor(key: SecretKey, findAccount: FindServiceAccount, nowMs: () => number) {
    this.#key = deriveKey(key, 'access tokens');
    this.#findAccount = findAccount;
    this.#nowMs = nowMs;
  }

  issue({ account, keyId }: Pick<ServiceAccountToken, 'account' | 'keyId'>): string {
    const expiresAtSec = Math.floor(this.#nowMs() / 1_000) + LIFETIME_SEC;
    const json = JSON.stringify({ email: account.email, keyId, expiresAtSec });
    const signed = `${PREFIX}${Buffer.from(json).toString('base64url')}`;
    return `${signed}.${this.#mac(signed).toString('base64url')}`;
  }

  /**
   * Returns the current rights: the roles that the account has now. A token becomes invalid when the key with which it
   * was obtained is removed. Throws the `TokenProblem` `UNAUTHENTICATED`.
   */
  verify(token: string): AdminGrant {
    const { email, keyId, expiresAtSec } = this.#open(token);
    if (typeof email !== 'string' || typeof keyId !== 'string' || typeof expiresAtSec !== 'number')
      throw unauthenticated();
    const account = this.#findAccount(email);
    if (account === undefined || !account.keys.some((key) => key.keyId === keyId)) throw unauthenticated();
    const expiresAtMs = expiresAtSec * 1_000;
    if (expiresAtMs <= this.#nowMs()) throw unauthenticated();
    return { projectId: account.projectId, serviceAccount: email, keyId, roles: account.roles, expiresAtMs };
  }

  #open(token: string): Claims {
    const dot = token.lastIndexOf('.');
    if (!isAccessToken(token) || token.length > MAX_LENGTH || dot < PREFIX.length) throw unauthenticated();
    const mac = Buffer.from(token.slice(dot + 1), 'base64url');
    const expected = this.#mac(token.slice(0, dot));
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) throw unauthenticated();
    return parseClaims(Buffer.from(token.slice(PREFIX.length, dot), 'base64url'));
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

function unauthenticated(): TokenProblem {
  return new TokenProblem('UNAUTHENTICATED');
}
