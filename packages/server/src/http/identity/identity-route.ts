import type { IdentityMethod } from '../../accounts/identity-method.ts';

/** Who may call a method. */
export type Audience =
  /** Apps by an API key; administrators who name a project too. */
  'anyone' | 'admin';

export interface IdentityRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Braces name a part of the address: `/v1/projects/{project}/accounts:lookup`. */
  readonly path: string;
  readonly audience: Audience;
  readonly run: IdentityMethod;
  /** Does it work even while nobody may sign in to the project? */
  readonly servesDisabled?: true;
  /** Longest body in bytes, where it is not the usual one. */
  readonly maxBodyBytes?: number;
}
