import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretKey } from '../secrets/secret-key.ts';
import { type Claims, parseClaims } from './claims.ts';
import type { AdminRole, FindServiceAccount } from './service-account.ts';
import type { ServiceAccountToken } from './service-account-token.ts';
import { TokenProblem } from './token-problem.ts';

/** Begins every access token, and no token of another kind. */
const PREFIX = 'hearth-access-1.';
const MAX_LENGTH = 1_024;
const LIFETIME_SEC = 3_600;

/** What clients are told: a second less, so that they renew in time. */
export const ACCESS_TOKEN_EXPIRES_IN_SEC = LIFETIME_SEC - 1;

/** What an access token allows, and to whom. */
export interface AdminGrant {
  readonly projectId: string;
  readonly serviceAccount: string;
  /** The key that the token was got by. */
  readonly keyId: string;
  readonly roles: readonly AdminRole[];
  readonly expiresAtMs: number;
}

/** Is it for `AccessTokens` to verify, rather than a token of a user? */
export function isAccessToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Access tokens of service accounts. Shape: prefix, JSON in base64url, a dot, HMAC-SHA-256 of what is before the dot
 * under a key derived for this alone, in base64url. The JSON: account, key, expiry in seconds.
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
   * The grant as it stands: roles are those the account has now, and a token ends with the key it was got by. Throws the
   * `TokenProblem` `UNAUTHENTICATED`.
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
