import { Refusal } from '@hearth/core/error/request-error.ts';
import type { Identity } from '../../access/principal.ts';
import type { Credential, CredentialVerifier, DatabaseRealm } from '../../access/verifier.ts';
import { accountsBook } from '../accounts/account-store.ts';
import { IdentityError } from '../errors.ts';
import type { DatabaseOwners } from '../projects/database-owners.ts';
import type { IdentityServices } from '../services.ts';
import { mustFindHolder } from '../sign-in/current-user.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import type { Administrators } from './administrators.ts';
import { databaseIdentity, mustHaveRight } from './rights.ts';

/**
 * Finds the account that an ID token names, for databases of a project. Rejects tokens of other projects, of
 * deleted or disabled accounts, and tokens issued before the account's tokens were revoked.
 */
export class AccountVerifier implements CredentialVerifier {
  readonly #services: Pick<IdentityServices, 'books' | 'idTokens' | 'projects'>;
  readonly #owners: DatabaseOwners;

  constructor(services: Pick<IdentityServices, 'books' | 'idTokens' | 'projects'>, owners: DatabaseOwners) {
    this.#services = services;
    this.#owners = owners;
  }

  async verify({ token }: Credential, realm: DatabaseRealm): Promise<Identity> {
    const projectId = this.#owners.find(realm.name);
    if (projectId === undefined) throw new Refusal('auth/unreadable');
    try {
      const verified = await this.#services.idTokens.verify(token, projectId);
      this.#mustHaveHolder(projectId, verified);
      return identityOf(verified);
    } catch (cause) {
      throw refusalOf(cause);
    }
  }

  #mustHaveHolder(projectId: string, token: VerifiedToken): void {
    const { books, projects } = this.#services;
    if (projects.find(projectId)?.settings.isDisabled !== false) throw new IdentityError('PROJECT_DISABLED');
    books.read((view) => mustFindHolder(view.book(accountsBook(projectId)), token));
  }
}

function identityOf({ uid, signInProvider, claims, expiresAtSec }: VerifiedToken): Identity {
  const auth = { uid, provider: signInProvider, token: claims };
  return { kind: 'user', auth, expiresAtMs: expiresAtSec * 1_000 };
}

/**
 * On `auth/expired` a client asks for another token. If it gets none, the response to that request gives it the
 * reason.
 */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof TokenProblem)
    return new Refusal(cause.code === 'TOKEN_EXPIRED' ? 'auth/expired' : 'auth/unreadable', undefined, {
      cause,
    });
  return cause instanceof IdentityError ? new Refusal('auth/expired', undefined, { cause }) : cause;
}

/** Returns a verifier that passes credentials of administrators to one verifier, and all others to another. */
export function anyCredentialVerifier(
  isAdminToken: (token: string) => boolean,
  admins: CredentialVerifier,
  users: CredentialVerifier,
): CredentialVerifier {
  return {
    verify: (credential: Credential, realm: DatabaseRealm): Promise<Identity> =>
      (isAdminToken(credential.token) ? admins : users).verify(credential, realm),
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

  async verify(credential: Credential, realm: DatabaseRealm): Promise<Identity> {
    const admin = await this.#administrators.verify(credential.token);
    mustHaveRight(admin, realm, 'look', this.#owners);
    return databaseIdentity(credential, admin);
  }
}
