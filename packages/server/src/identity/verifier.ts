import type { Identity } from './identity.ts';

/** What a client presents to say who it is. */
export interface Credential {
  readonly token: string;
  /**
   * For administrators only: the identity to judge rules by instead. An object stands for `auth`, `null` for nobody;
   * absent leaves the administrator above the rules.
   */
  readonly override?: Readonly<Record<string, unknown>> | null;
}

/** The database that a credential is shown for: it may count for one and not for another. */
export interface DatabaseRealm {
  readonly kind: 'database';
  readonly name: string;
}

/** Decides who a credential stands for. */
export interface CredentialVerifier {
  /**
   * Rejects with a `Refusal`: `auth/unreadable`, `auth/expired`, `auth/admin-only`, `auth/role`, or one of `member/…`. May
   * take time.
   */
  verify(credential: Credential, realm: DatabaseRealm): Promise<Identity>;
}
