import { type AdminRole, type ServiceAccount, serviceAccountEmail } from '../tokens/service-account.ts';
import type { ServiceAccountKeyFile } from '../tokens/service-account-key-file.ts';
import type { ListedServiceAccount, ServiceAccounts } from '../tokens/service-accounts.ts';
import { IdentityError } from './identity-error.ts';
import type { NewProject } from './new-project.ts';
import type { ProjectSettings } from './project-settings.ts';
import type { ApiKey, Projects } from './projects.ts';

/** What a key file is for that nobody says more about: all of its project but the hashes of passwords. */
export const USUAL_ROLES: ServiceAccount['roles'] = [
  'identity.admin',
  'identity.viewer',
  'identity.configAdmin',
  'database.admin',
];

export interface ProjectAdministrationOptions {
  readonly projects: Projects;
  readonly serviceAccounts: ServiceAccounts;
  readonly newSettings: ProjectSettings;
}

/** The projects of a server as its administrators see them. Refuses with an `IdentityError`. */
export class ProjectAdministration {
  readonly #options: ProjectAdministrationOptions;

  constructor(options: ProjectAdministrationOptions) {
    this.#options = options;
  }

  create(id: string): Promise<NewProject> {
    const { projects, newSettings } = this.#options;
    return projects.create(id, newSettings);
  }

  /** Ids in order: those after one, at most `limit`. */
  list(after: string | undefined, limit: number): readonly string[] {
    return this.#options.projects.ids(after, limit);
  }

  has(id: string): boolean {
    return this.#options.projects.find(id) !== undefined;
  }

  keys(id: string): readonly ApiKey[] {
    return this.#options.projects.keys(id);
  }

  addKey(id: string): Promise<string> {
    return this.#options.projects.addKey(id);
  }

  async removeKey(id: string, apiKey: string): Promise<void> {
    if (!(await this.#options.projects.removeKey(id, apiKey)))
      throw new IdentityError('NOT_FOUND', 'The project has no such key.');
  }

  serviceAccounts(id: string): readonly ListedServiceAccount[] {
    this.#mustHave(id);
    return this.#options.serviceAccounts.list(id);
  }

  /** A further key of a service account, which is made if the project has none of this name. */
  async createKeyFile(
    id: string,
    name: string,
    roles: readonly AdminRole[],
    tokenUrl: string,
  ): Promise<ServiceAccountKeyFile> {
    this.#mustHave(id);
    const { serviceAccounts } = this.#options;
    const creation = await serviceAccounts.create(id, name, roles);
    if (creation.kind === 'bad-name')
      throw new IdentityError(
        'INVALID_SERVICE_ACCOUNT',
        'A service account is named by 1 to 30 lower-case letters, digits and hyphens, a letter first.',
      );
    if (creation.kind === 'too-many')
      throw new IdentityError('INVALID_SERVICE_ACCOUNT', 'The project has too many service accounts.');
    const made = await serviceAccounts.createKey(creation.email, tokenUrl);
    if (made.kind !== 'created')
      throw new IdentityError('INVALID_SERVICE_ACCOUNT', `${creation.email} has too many keys.`);
    return made.keyFile;
  }

  async removeServiceAccountKey(id: string, name: string, keyId: string): Promise<void> {
    if (!(await this.#options.serviceAccounts.removeKey(serviceAccountEmail(name, id), keyId)))
      throw new IdentityError('NOT_FOUND', 'The service account has no such key.');
  }

  #mustHave(id: string): void {
    // Of development mode's projects, too, only those that were made.
    this.keys(id);
  }
}
