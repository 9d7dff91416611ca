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

/** Decides who a credential stands for. */
export interface CredentialVerifier {
  /** Rejects with a `Refusal`: `auth/unreadable`, `auth/expired`. May take time, for example to fetch keys. */
  verify(credential: Credential): Promise<Identity>;
}
