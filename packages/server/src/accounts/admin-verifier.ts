import { Refusal } from '@hearth/core/fault/refusal.ts';
import { administrator } from '../identity/administrator.ts';
import type { Identity } from '../identity/identity.ts';
import type { Credential, CredentialVerifier, Realm } from '../identity/verifier.ts';
import type { AdminRole } from '../tokens/service-account.ts';
import { TokenProblem } from '../tokens/token-problem.ts';
import type { Administrator, Administrators } from './administrators.ts';
import type { DatabaseOwners } from './database-owners.ts';

/** Any of these is enough in the audit of a project, which tells of its accounts. */
const AUDIT_ROLES: readonly AdminRole[] = ['identity.viewer', 'identity.admin'];
const DATABASE_ROLES: readonly AdminRole[] = ['database.admin'];

/** Decides who is an administrator: service accounts with a role for the realm, each in its own project. */
export class AdminVerifier implements CredentialVerifier {
  readonly #administrators: Administrators;
  readonly #owners: DatabaseOwners;

  constructor(administrators: Administrators, owners: DatabaseOwners) {
    this.#administrators = administrators;
    this.#owners = owners;
  }

  async verify(credential: Credential, realm: Realm): Promise<Identity> {
    const admin = this.#mustVerify(credential.token);
    if (!admin.roles.some((role) => rolesFor(realm).includes(role)) || !this.#isWithin(realm, admin))
      throw new Refusal('auth/admin-only');
    return administrator(credential, admin.expiresAtMs, admin.grant);
  }

  #mustVerify(token: string): Administrator {
    try {
      return this.#administrators.verify(token);
    } catch (cause) {
      if (!(cause instanceof TokenProblem)) throw cause;
      throw new Refusal('auth/admin-only', undefined, { cause });
    }
  }

  /** A database that is no project's has no administrator, so that none comes to be by a slip of the pen. */
  #isWithin(realm: Realm, { projectId }: Administrator): boolean {
    switch (realm.kind) {
      case 'database': {
        const owner = this.#owners.find(realm.name);
        return owner !== undefined && (projectId === null || projectId === owner);
      }
      case 'project':
        return projectId === null || projectId === realm.id;
      case 'audit':
        return projectId === null || projectId === realm.project;
      case 'server':
        return projectId === null;
      default:
        return realm satisfies never;
    }
  }
}

function rolesFor({ kind }: Realm): readonly AdminRole[] {
  return kind === 'audit' ? AUDIT_ROLES : DATABASE_ROLES;
}
