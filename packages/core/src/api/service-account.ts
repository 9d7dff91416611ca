/**
 * The roles of administrators of a project. `database.admin` bypasses the rules of the project's databases, and
 * `database.viewer` may read all of them. `project.owner` manages the project's keys, service accounts, members
 * and databases.
 */
export const ADMIN_ROLES = [
  'identity.admin',
  'identity.viewer',
  'identity.hashReader',
  'identity.configAdmin',
  'identity.tokenCreator',
  'database.admin',
  'database.viewer',
  'project.owner',
] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** A service account as the admin API lists it. */
export interface ListedServiceAccount {
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly isDisabled: boolean;
  readonly createdAtMs: number;
  readonly keys: readonly { readonly keyId: string; readonly createdAtMs: number }[];
}
