import type { AdminRole, ListedServiceAccount } from '@hearth/core/api/service-account.ts';
import type { Captcha, CaptchaAction } from '../captcha/captcha.ts';
import type { SolvingTime } from '../captcha/solving-times.ts';
import { AuthApiError } from '../errors.ts';
import type { ProjectSettings } from './project.ts';
import type { ApiKey, NewProject, Projects } from './projects.ts';
import { type ServiceAccount, serviceAccountEmail } from './service-account.ts';
import type { ServiceAccountKeyFile, ServiceAccounts } from './service-accounts.ts';

/**
 * Roles of a new service account for which none are given: those that the backend of an app needs with
 * firebase-admin, which include the configuration of the project. They include neither password hashes nor the
 * administration of members and keys.
 */
const DEFAULT_ROLES: ServiceAccount['roles'] = [
  'identity.admin',
  'identity.viewer',
  'identity.configAdmin',
  'database.admin',
];

export interface ProjectAdministrationOptions {
  readonly projects: Projects;
  readonly serviceAccounts: ServiceAccounts;
  readonly captcha: Pick<Captcha, 'solvingTimes'>;
  readonly newSettings: ProjectSettings;
}

/** The projects of a server, for administrators. The methods throw `AuthApiError`. */
export class ProjectAdministration {
  readonly #options: ProjectAdministrationOptions;

  constructor(options: ProjectAdministrationOptions) {
    this.#options = options;
  }

  create(id: string): Promise<NewProject> {
    const { projects, newSettings } = this.#options;
    return projects.create(id, newSettings);
  }

  /** Returns project ids in order: those after `after`, at most `limit`. */
  list(after: string | undefined, limit: number): readonly string[] {
    return this.#options.projects.ids(after, limit);
  }

  has(id: string): boolean {
    return this.#options.projects.find(id) !== undefined;
  }

  /** Returns how long clients say that they took to solve challenges of the project. */
  solvingTimes(id: string): readonly SolvingTime<CaptchaAction>[] {
    if (!this.has(id)) throw new AuthApiError('PROJECT_NOT_FOUND');
    return this.#options.captcha.solvingTimes(id);
  }

  keys(id: string): readonly ApiKey[] {
    return this.#options.projects.keys(id);
  }

  addKey(id: string): Promise<string> {
    return this.#options.projects.addKey(id);
  }

  async removeKey(id: string, apiKey: string): Promise<void> {
    if (!(await this.#options.projects.removeKey(id, apiKey)))
      throw new AuthApiError('NOT_FOUND', 'The project has no such key.');
  }

  serviceAccounts(id: string): readonly ListedServiceAccount[] {
    this.#require(id);
    return this.#options.serviceAccounts.list(id);
  }

  /**
   * Creates another key of a service account, and the service account if the project has none with this name. Rejects
   * given `roles` that an existing account does not have.
   */
  async createKeyFile(
    id: string,
    name: string,
    roles: readonly AdminRole[] | undefined,
    tokenUrl: string,
  ): Promise<ServiceAccountKeyFile> {
    this.#require(id);
    const { serviceAccounts } = this.#options;
    const creation = await serviceAccounts.create(id, name, roles ?? DEFAULT_ROLES);
    if (creation.kind === 'exists' && roles !== undefined && !areSame(roles, creation.roles))
      throw new AuthApiError(
        'INVALID_SERVICE_ACCOUNT',
        `${creation.email} exists with the roles ${creation.roles.join(', ')}. Create the key without roles, or change the roles of the account first.`,
      );
    if (creation.kind === 'bad-name')
      throw new AuthApiError(
        'INVALID_SERVICE_ACCOUNT',
        'The name of a service account must have 1 to 30 lowercase letters, digits and hyphens, and start with a letter.',
      );
    if (creation.kind === 'too-many')
      throw new AuthApiError('INVALID_SERVICE_ACCOUNT', 'The project has too many service accounts.');
    const made = await serviceAccounts.createKey(creation.email, tokenUrl);
    if (made.kind !== 'created')
      throw new AuthApiError('INVALID_SERVICE_ACCOUNT', `${creation.email} has too many keys.`);
    return made.keyFile;
  }

  async removeServiceAccountKey(id: string, name: string, keyId: string): Promise<void> {
    if (!(await this.#options.serviceAccounts.removeKey(serviceAccountEmail(name, id), keyId)))
      throw new AuthApiError('NOT_FOUND', 'The service account has no such key.');
  }

  /** Replaces the roles of a service account, for all of its keys and access tokens. */
  async setServiceAccountRoles(id: string, name: string, roles: readonly AdminRole[]): Promise<void> {
    this.#require(id);
    if (!(await this.#options.serviceAccounts.setRoles(serviceAccountEmail(name, id), roles)))
      throw new AuthApiError('NOT_FOUND', 'The project has no such service account.');
  }

  /** Throws `PROJECT_NOT_FOUND` if the project was not created, even in development mode. */
  #require(id: string): void {
    this.keys(id);
  }
}

function areSame(some: readonly AdminRole[], others: readonly AdminRole[]): boolean {
  return some.length === others.length && some.every((role) => others.includes(role));
}
