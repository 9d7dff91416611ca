import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { INSTALLATION, type RecordStore, type RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { ConfigContext } from '../projects/config-fields.ts';
import type { Project } from '../projects/project.ts';
import { wasDeleted } from './deleted-tenants.ts';
import { parseTenantId, type TenantId } from './scope.ts';
import type { Tenant } from './tenant.ts';
import { DEVELOPMENT_TENANT, parseTenantConfig, projectOfTenant } from './tenant-config.ts';
import {
  countTenants,
  findTenant,
  findTenantsByStart,
  listTenants,
  removeTenant,
  saveTenant,
} from './tenant-store.ts';

export interface TenantsOptions {
  readonly recordStore: RecordStore;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly secretBox: SecretBox;
  /** In development mode a tenant exists for every valid id, as in the official emulator. */
  readonly isDevelopment: boolean;
}

/** A tenant with the project from which it takes settings. */
interface AppliedTenant {
  readonly project: Project;
  readonly applied: Project;
}

/** The tenants of the projects of this server. */
export class Tenants {
  readonly #options: TenantsOptions;
  /** Projects as their tenants change them, by tenant. */
  readonly #applied = new WeakMap<Tenant, AppliedTenant>();

  constructor(options: TenantsOptions) {
    this.#options = options;
  }

  find({ id: projectId }: Pick<Project, 'id'>, id: TenantId): Tenant | undefined {
    const { recordStore } = this.#options;
    return recordStore.read((view) => this.#findIn(view.records(INSTALLATION), projectId, id));
  }

  #context(): Omit<ConfigContext, 'before'> {
    const { clock, secretBox, isDevelopment } = this.#options;
    return { secretBox, isDevelopment, nowMs: clock.nowMs() };
  }

  #findIn(records: RecordView, projectId: string, id: TenantId): Tenant | undefined {
    const tenant = findTenant(records, projectId, id);
    const mayCreate = this.#options.isDevelopment && !wasDeleted(records, projectId, id);
    return tenant ?? (mayCreate ? { id, config: DEVELOPMENT_TENANT, createdAtMs: 0 } : undefined);
  }

  /** Returns a project as one of its tenants changes it, or `undefined` if it has no such tenant. */
  findProject(project: Project, id: TenantId): Project | undefined {
    const tenant = this.find(project, id);
    if (tenant === undefined) return undefined;
    const known = this.#applied.get(tenant);
    if (known?.project === project) return known.applied;
    const applied = projectOfTenant(project, tenant, this.#context());
    this.#applied.set(tenant, { project, applied });
    return applied;
  }

  /** Returns the tenants of a project that were created or changed, in the order of their ids. */
  list({ id }: Pick<Project, 'id'>, after: TenantId | undefined, limit: number): readonly Tenant[] {
    return this.#options.recordStore.read((view) =>
      listTenants(view.records(INSTALLATION), id, after, limit),
    );
  }

  /** Returns up to `limit` tenants whose id, or a word of whose display name, begins with a text. */
  findByStart({ id }: Pick<Project, 'id'>, text: string, limit: number): readonly Tenant[] {
    return this.#options.recordStore.read((view) =>
      findTenantsByStart(view.records(INSTALLATION), id, text, limit),
    );
  }

  /** Returns the number of tenants of a project that were created or changed. */
  count({ id }: Pick<Project, 'id'>): number {
    return this.#options.recordStore.read((view) => countTenants(view.records(INSTALLATION), id));
  }

  /** Creates a tenant. Rejects with the errors of `parseTenantConfig`, and with `QUOTA_EXCEEDED`. */
  create({ id: projectId }: Pick<Project, 'id'>, json: JsonObject): Promise<Tenant> {
    const { recordStore } = this.#options;
    const config = parseTenantConfig(json, this.#context());
    return recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const id = this.#newId(config['displayName']);
      // A coincidence of random ids, which a second request of the client resolves.
      if (findTenant(records, projectId, id) !== undefined || wasDeleted(records, projectId, id))
        throw new AuthApiError('QUOTA_EXCEEDED', 'The server found no free id. Try again.');
      const tenant = { id, config, createdAtMs: transaction.nowMs };
      saveTenant(transaction, projectId, tenant);
      return tenant;
    });
  }

  /** Changes the settings of a tenant. Rejects with `TENANT_NOT_FOUND`, and like `create`. */
  change(
    project: Pick<Project, 'id'>,
    id: TenantId,
    change: (config: JsonObject) => JsonObject,
  ): Promise<{ readonly before: Tenant; readonly after: Tenant }> {
    return this.#options.recordStore.change((transaction) => {
      const before = this.#findIn(transaction.records(INSTALLATION), project.id, id);
      if (before === undefined) throw new AuthApiError('TENANT_NOT_FOUND');
      const after = { ...before, config: parseTenantConfig(change(before.config), this.#context()) };
      saveTenant(transaction, project.id, after);
      return { before, after };
    });
  }

  /** Deletes a tenant and all its accounts. Rejects with `TENANT_NOT_FOUND`. */
  remove(project: Pick<Project, 'id'>, id: TenantId): Promise<void> {
    return this.#options.recordStore.change((transaction) => {
      if (this.#findIn(transaction.records(INSTALLATION), project.id, id) === undefined)
        throw new AuthApiError('TENANT_NOT_FOUND');
      removeTenant(transaction, project.id, id);
    });
  }

  /** Returns an id that starts like the display name: `my-tenant-k3x9a`. */
  #newId(displayName: unknown): TenantId {
    const name = typeof displayName === 'string' ? displayName.toLowerCase() : '';
    const start = name
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[-0-9]+|-+$/g, '')
      .slice(0, MAX_START);
    const end = Array.from(this.#options.randomBytes(RANDOM_LENGTH), (byte) =>
      ALPHABET.charAt(byte % ALPHABET.length),
    );
    const id = parseTenantId(`${start === '' ? 'tenant' : start}-${end.join('')}`);
    if (id === undefined) throw new Error('Bug: a new id is not valid.');
    return id;
  }
}

const MAX_START = 20;
const RANDOM_LENGTH = 8;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
