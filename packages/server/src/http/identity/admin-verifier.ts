import type { AdminRole } from '../../tokens/service-account.ts';

/** An administrator, as a token says. */
export interface AdminIdentity {
  /** As audits and logs call it. */
  readonly name: string;
  /** The only project that it is an administrator of; `null` for all. */
  readonly projectId: string | null;
  readonly roles: readonly AdminRole[];
  readonly mayReadHashes: boolean;
}

/** Decides who an `Authorization: Bearer` header stands for. */
export interface AdminVerifier {
  /** Rejects with a `TokenProblem` or an `IdentityError`. */
  verify(token: string): Promise<AdminIdentity>;
}
