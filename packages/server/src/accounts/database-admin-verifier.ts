import type { Identity } from '../identity/identity.ts';
import type { Credential, CredentialVerifier, DatabaseRealm } from '../identity/verifier.ts';
import type { Administrators } from './administrators.ts';
import { databaseIdentity } from './database-identity.ts';
import type { DatabaseOwners } from './database-owners.ts';
import { mustHaveRight } from './must-have-right.ts';

/** Decides who is an administrator of a database: who has a role for those of its project. */
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
