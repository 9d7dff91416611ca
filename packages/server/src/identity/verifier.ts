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

/** What a credential is shown for: it may count for one and not for another. */
export type Realm =
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'project'; readonly id: string }
  /** What mattered to security in a project. */
  | { readonly kind: 'audit'; readonly project: string }
  /** All projects, and which there are. */
  | { readonly kind: 'server' };

/** Decides who a credential stands for. */
export interface CredentialVerifier {
  /** Rejects with a `Refusal`: `auth/unreadable`, `auth/expired`, `auth/admin-only`. May take time. */
  verify(credential: Credential, realm: Realm): Promise<Identity>;
}
