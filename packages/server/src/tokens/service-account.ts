/**
 * What an administrator of a project may do. `database.admin` is above the rules of its databases, `database.viewer` sees all
 * of them; `project.owner` is for its keys, service accounts, members and which databases it has.
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

export interface ServiceAccountKey {
  readonly keyId: string;
  /** RSA, SPKI in PEM. Nobody but the owner of the account has the private one. */
  readonly publicKey: string;
}

/** An account that a program of the project's owner signs in with. */
export interface ServiceAccount {
  readonly email: string;
  readonly projectId: string;
  readonly roles: readonly AdminRole[];
  /** The keys that count now. */
  readonly keys: readonly ServiceAccountKey[];
}

/** The account of an address, unless it is unknown or disabled. */
export type FindServiceAccount = (email: string) => ServiceAccount | undefined;

const EMAIL = /^([a-z][a-z0-9-]{0,29})@([^@]{1,128})\.hearth\.internal$/;

/** The address of a service account. The domain is reserved for private use, so that nobody else can own it. */
export function serviceAccountEmail(name: string, projectId: string): string {
  return `${name}@${projectId}.hearth.internal`;
}

/** Name and project of an address that `serviceAccountEmail` made. */
export function parseServiceAccountEmail(
  email: string,
): { readonly name: string; readonly projectId: string } | undefined {
  const [, name, projectId] = EMAIL.exec(email) ?? [];
  return name === undefined || projectId === undefined ? undefined : { name, projectId };
}
