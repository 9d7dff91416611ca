import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type AccessTokens, isAccessToken } from '../tokens/access-tokens.ts';
import { ADMIN_ROLES } from '../tokens/service-account.ts';
import { TokenProblem } from '../tokens/token-problem.ts';
import type { Administrator } from './administrator.ts';
import type { LocalAdmin } from './local-admin.ts';
import { isMemberToken } from './members/member-token.ts';
import type { MemberVerifier } from './members/member-verifier.ts';

/**
 * Who has which rights outside of development mode: service accounts and members of a project there, and the local
 * administrator.
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

  /** Is it for `verify`, rather than a token of a user? */
  isToken(token: string): boolean {
    return isAccessToken(token) || isMemberToken(token) || this.#localAdmin.isToken(token);
  }

  /** Whom a token stands for now. Rejects with a `Refusal`: `auth/admin-only`, or what `MemberVerifier` refuses with. */
  async verify(token: string): Promise<Administrator> {
    if (isMemberToken(token)) return this.#members.verify(token);
    if (this.#localAdmin.isToken(token))
      return { name: 'local-admin', projectId: null, roles: ADMIN_ROLES, expiresAtMs: null, grant: null };
    return this.#verifyAccessToken(token);
  }

  #verifyAccessToken(token: string): Administrator {
    try {
      const { serviceAccount, keyId, projectId, roles, expiresAtMs } = this.#accessTokens.verify(token);
      const grant = { kind: 'service-account', serviceAccount, keyId } as const;
      return { name: serviceAccount, projectId, roles, expiresAtMs, grant };
    } catch (cause) {
      if (!(cause instanceof TokenProblem)) throw cause;
      throw new Refusal('auth/admin-only', undefined, { cause });
    }
  }
}
