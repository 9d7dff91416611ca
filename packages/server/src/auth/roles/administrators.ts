import { createHash, timingSafeEqual } from 'node:crypto';
import { ADMIN_ROLES } from '@hearth/core/api/service-account.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { AuthApiError } from '../errors.ts';
import { type AccessTokens, isAccessToken } from '../tokens/access-tokens.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { isMemberToken, type MemberVerifier } from './member-verifier.ts';
import type { Administrator } from './rights.ts';

/** Prefix of every token of a local administrator, and of no other kind of token. */
const PREFIX = 'hearth-local-1.';
const TOKEN_BYTES = 32;

/** The names in the audit log of the administrators that have no name of their own. */
export const LOCAL_ADMIN_NAME = 'local-admin';
export const EMULATOR_ADMIN_NAME = 'owner';

/**
 * The administrator of the whole server: a program on the same machine that can read the data directory. At each
 * start, the server writes a new token to that directory. The token is valid until the process ends.
 */
export class LocalAdmin {
  readonly token: string;
  readonly #hash: Buffer;

  constructor(randomBytes: (count: number) => Uint8Array) {
    this.token = `${PREFIX}${Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')}`;
    this.#hash = hashOf(this.token);
  }

  isToken(token: string): boolean {
    return token.startsWith(PREFIX) && timingSafeEqual(hashOf(token), this.#hash);
  }
}

/** Hashes a token, so that the comparison always has inputs of the same length and takes constant time. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Finds the rights of administrators outside of development mode: service accounts, members of projects, and
 * the local administrator.
 */
export class Administrators {
  readonly #accessTokens: AccessTokens;
  readonly #localAdmin: LocalAdmin;
  readonly #members: MemberVerifier;

  constructor(accessTokens: AccessTokens, localAdmin: LocalAdmin, members: MemberVerifier) {
    this.#accessTokens = accessTokens;
    this.#localAdmin = localAdmin;
    this.#members = members;
  }

  /** Returns whether `verify` accepts this kind of token. Other tokens belong to users. */
  isToken(token: string): boolean {
    return isAccessToken(token) || isMemberToken(token) || this.#localAdmin.isToken(token);
  }

  /**
   * Returns the administrator to whom a token belongs. Rejects with a `RequestError`: `auth/admin-only`, or an error
   * of `MemberVerifier`.
   */
  async verify(token: string): Promise<Administrator> {
    if (isMemberToken(token)) return this.#members.verify(token);
    if (this.#localAdmin.isToken(token))
      return { name: LOCAL_ADMIN_NAME, projectId: null, roles: ADMIN_ROLES, expiresAtMs: null, grant: null };
    return this.#verifyAccessToken(token);
  }

  #verifyAccessToken(token: string): Administrator {
    try {
      const { serviceAccount, keyId, projectId, roles, expiresAtMs } = this.#accessTokens.verify(token);
      const grant = { kind: 'service-account', serviceAccount, keyId } as const;
      return { name: serviceAccount, projectId, roles, expiresAtMs, grant };
    } catch (cause) {
      if (!(cause instanceof TokenProblem)) throw cause;
      throw new RequestError('auth/admin-only', undefined, { cause });
    }
  }
}

/** An administrator as the methods of the Auth API use it. */
export type AdminCaller = Pick<Administrator, 'name' | 'projectId' | 'roles'> &
  Partial<Pick<Administrator, 'grant'>>;

/** Verifies the token of an `Authorization: Bearer` header. */
export interface AdminVerifier {
  /** Returns the administrator to whom a token belongs. Rejects with a `RequestError` or an `AuthApiError`. */
  verify(token: string): Promise<AdminCaller>;
}

/**
 * Accepts any token except the empty one as that of an administrator of all projects, like the official emulators. For
 * development mode only.
 */
export const emulatorAdmins: Pick<Administrators, 'verify'> = {
  async verify(token) {
    if (token === '') throw new AuthApiError('UNAUTHENTICATED');
    return { name: EMULATOR_ADMIN_NAME, projectId: null, roles: ADMIN_ROLES, expiresAtMs: null, grant: null };
  },
};
