import type { Administrator } from '../../accounts/administrators.ts';

/** An administrator, as a token says. */
export type AdminIdentity = Pick<Administrator, 'name' | 'projectId' | 'roles'>;

/** Decides who an `Authorization: Bearer` header stands for. */
export interface AdminVerifier {
  /** Rejects with a `TokenProblem` or an `IdentityError`. */
  verify(token: string): Promise<AdminIdentity>;
}
