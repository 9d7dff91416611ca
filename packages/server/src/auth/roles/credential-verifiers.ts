import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from '../../access/principal.ts';
import type { Credential, CredentialVerifier, DatabaseResource } from '../../access/verifier.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { DatabaseOwners } from '../projects/database-owners.ts';
import type { AuthServices } from '../services.ts';
import { requireCurrentUser } from '../sign-in/current-user.ts';
import { projectOfToken } from '../tenants/select.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import type { Administrators } from './administrators.ts';
import { databasePrincipal, requireRight } from './rights.ts';

/**
 * Verifies ID tokens of users for the databases of their project. Rejects tokens of other projects, of a disabled
 * project, of deleted or disabled accounts, and tokens issued before the account's tokens were revoked.
 */
export class AccountVerifier implements CredentialVerifier {
  readonly #services: Pick<AuthServices, 'recordStore' | 'idTokens' | 'projects' | 'tenants'>;
  readonly #owners: DatabaseOwners;

  constructor(
    services: Pick<AuthServices, 'recordStore' | 'idTokens' | 'projects' | 'tenants'>,
    owners: DatabaseOwners,
  ) {
    this.#services = services;
    this.#owners = owners;
  }

  async verify({ token }: Credential, resource: DatabaseResource): Promise<Principal> {
    const projectId = this.#owners.find(resource.name);
    if (projectId === undefined) throw new RequestError('auth/unreadable');
    try {
      const verified = await this.#services.idTokens.verifyInProject(token, projectId);
      this.#requireTokenUser(projectId, verified);
      return principalOf(verified);
    } catch (cause) {
      throw requestErrorOf(cause);
    }
  }

  #requireTokenUser(projectId: string, token: VerifiedToken): void {
    const { recordStore, projects } = this.#services;
    const project = projects.find(projectId);
    if (project === undefined) throw new AuthApiError('PROJECT_DISABLED');
    const { settings, scope } = projectOfToken(project, token, this.#services);
    if (settings.isDisabled) throw new AuthApiError('PROJECT_DISABLED');
    recordStore.read((view) => requireCurrentUser(view.records(accountRecords(scope)), token));
  }
}

function principalOf({ uid, signInProvider, claims, expiresAtSec }: VerifiedToken): Principal {
  const auth = { uid, provider: signInProvider, token: claims };
  return { kind: 'user', auth, expiresAtMs: expiresAtSec * 1_000 };
}

/**
 * Returns the request error for a rejected token. A client that receives `auth/expired` refreshes its token. The
 * refresh succeeds, or its error gives the actual reason.
 */
function requestErrorOf(cause: unknown): unknown {
  if (cause instanceof TokenProblem)
    return new RequestError(cause.code === 'TOKEN_EXPIRED' ? 'auth/expired' : 'auth/unreadable', undefined, {
      cause,
    });
  return cause instanceof AuthApiError ? new RequestError('auth/expired', undefined, { cause }) : cause;
}

/** Returns a verifier that passes credentials of administrators to one verifier, and all others to another. */
export function anyCredentialVerifier(
  isAdminToken: (token: string) => boolean,
  admins: CredentialVerifier,
  users: CredentialVerifier,
): CredentialVerifier {
  return {
    verify: (credential: Credential, resource: DatabaseResource): Promise<Principal> =>
      (isAdminToken(credential.token) ? admins : users).verify(credential, resource),
  };
}

/** Authenticates administrators of a database: callers who have a role for the databases of its project. */
export class DatabaseAdminVerifier implements CredentialVerifier {
  readonly #administrators: Administrators;
  readonly #owners: DatabaseOwners;

  constructor(administrators: Administrators, owners: DatabaseOwners) {
    this.#administrators = administrators;
    this.#owners = owners;
  }

  async verify(credential: Credential, resource: DatabaseResource): Promise<Principal> {
    const admin = await this.#administrators.verify(credential.token);
    requireRight(admin, resource, 'read', this.#owners);
    return databasePrincipal(credential, admin);
  }
}
