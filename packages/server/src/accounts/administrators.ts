import type { Grant } from '../identity/identity.ts';
import { type AccessTokens, isAccessToken } from '../tokens/access-tokens.ts';
import { ADMIN_ROLES, type AdminRole } from '../tokens/service-account.ts';
import type { LocalAdmin } from './local-admin.ts';

/** Somebody above the rules and methods of apps. */
export interface Administrator {
  /** As audits and logs call it. */
  readonly name: string;
  /** The only project that it is an administrator of; `null` for all. */
  readonly projectId: string | null;
  readonly roles: readonly AdminRole[];
  /** When its token runs out, or `null` when it does not. */
  readonly expiresAtMs: number | null;
  /** What its rights end with, or `null` when they end with the token alone. */
  readonly grant: Grant | null;
}

/** Who has which rights outside of development mode: service accounts of a project there, and the local administrator. */
export class Administrators {
  readonly #accessTokens: AccessTokens;
  readonly #localAdmin: LocalAdmin;

  constructor(accessTokens: AccessTokens, localAdmin: LocalAdmin) {
    this.#accessTokens = accessTokens;
    this.#localAdmin = localAdmin;
  }

  /** Is it for `verify`, rather than a token of a user? */
  isToken(token: string): boolean {
    return isAccessToken(token) || this.#localAdmin.isToken(token);
  }

  /** Whom a token stands for now. Throws the `TokenProblem` `UNAUTHENTICATED`. */
  verify(token: string): Administrator {
    if (this.#localAdmin.isToken(token))
      return { name: 'local-admin', projectId: null, roles: ADMIN_ROLES, expiresAtMs: null, grant: null };
    const { serviceAccount, keyId, projectId, roles, expiresAtMs } = this.#accessTokens.verify(token);
    return { name: serviceAccount, projectId, roles, expiresAtMs, grant: { serviceAccount, keyId } };
  }
}
