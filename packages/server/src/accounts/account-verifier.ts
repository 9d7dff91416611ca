import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from '../identity/identity.ts';
import type { Credential, CredentialVerifier, DatabaseRealm } from '../identity/verifier.ts';
import { TokenProblem } from '../tokens/token-problem.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';
import { accountsBook } from './account-book.ts';
import { mustFindHolder } from './caller-account.ts';
import type { DatabaseOwners } from './database-owners.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityServices } from './identity-services.ts';

/**
 * Decides which account of a database's project an ID token stands for now. Tokens of other projects, of accounts that are
 * gone or disabled, and from before the account's tokens were revoked stand for nobody.
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

/** A client that is told of an expired token asks for another, and finds out there why it gets none. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof TokenProblem)
    return new Refusal(cause.code === 'TOKEN_EXPIRED' ? 'auth/expired' : 'auth/unreadable', undefined, {
      cause,
    });
  return cause instanceof IdentityError ? new Refusal('auth/expired', undefined, { cause }) : cause;
}
