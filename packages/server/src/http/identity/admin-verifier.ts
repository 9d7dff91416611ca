import type { Administrator } from '../../accounts/administrator.ts';

/** An administrator, as methods of identity see one. */
export type AdminIdentity = Pick<Administrator, 'name' | 'projectId' | 'roles'>;

/** Decides who an `Authorization: Bearer` header stands for. */
export interface AdminVerifier {
  /** Rejects with a `Refusal` or an `IdentityError`. */
  verify(token: string): Promise<AdminIdentity>;
}
