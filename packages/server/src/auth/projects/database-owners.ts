import { RequestError } from '@hearth/core/error/request-error.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { findRecordTree } from '../../records/stored-records.ts';
import { StoredView } from '../../records/view.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import { AuthApiError } from '../errors.ts';

/**
 * Which project owns which databases, in the records of the installation. A name belongs to one project
 * forever.
 *
 * | path                               | record                |
 * |------------------------------------|-----------------------|
 * | databases / name                   | id of the project     |
 * | databasesOf / project / name       | true                  |
 */

const DEFAULT_SUFFIX = '-default-rtdb';
/** Maximum number of databases of one project. */
const MAX_DATABASES = 100;

/** Returns the databases that belong to a new project. Clients use these names without configuration. */
export function databasesOfNewProject(projectId: string): readonly string[] {
  return [`${projectId}${DEFAULT_SUFFIX}`, projectId];
}

/**
 * Returns whether a caller with rights in this project only may create a database with this name. Other names are
 * reserved, because another project might need them: `shop-eu-default-rtdb` is the default database of a project
 * `shop-eu`.
 */
export function isNameOfProject(name: string, projectId: string): boolean {
  if (databasesOfNewProject(projectId).includes(name)) return true;
  return name.startsWith(`${projectId}-`) && !name.endsWith(DEFAULT_SUFFIX);
}

/**
 * Assigns a database to a project, within another transaction. Throws `INVALID_PROJECT_ID` if it belongs to
 * another project.
 */
export function claimDatabase(records: RecordTransaction, projectId: string, name: string): void {
  const owner = findOwner(records, name);
  if (owner !== undefined && owner !== projectId)
    throw new AuthApiError('INVALID_PROJECT_ID', `The database ${name} belongs to another project.`);
  records.write(['databases', name], projectId);
  records.write(['databasesOf', projectId, name], true);
}

/** Returns whether any project owns a database, as a transaction sees it. */
export function isOwnedDatabase(tx: KvRead, name: string): boolean {
  const tree = findRecordTree(tx, INSTALLATION);
  return tree !== undefined && findOwner(new StoredView(tx, tree), name) !== undefined;
}

/** The owners of the databases of all projects. */
export class DatabaseOwners {
  readonly #recordStore: RecordStore;
  /** A cache: owners never change, and every request needs one. */
  readonly #known = new Map<string, string>();

  constructor(recordStore: RecordStore) {
    this.#recordStore = recordStore;
  }

  /** Returns the project that owns a database, or `undefined` if no project owns it. */
  find(name: string): string | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const owner = this.#recordStore.read((view) => findOwner(view.records(INSTALLATION), name));
    if (owner !== undefined) this.#cacheOwner(name, owner);
    return owner;
  }

  /** Returns the names of a project's databases in order: those after `after`, at most `limit`. */
  list(projectId: string, after: string, limit: number): readonly string[] {
    const range = after === '' ? { limit } : { after, limit };
    return this.#recordStore.read((view) =>
      view
        .records(INSTALLATION)
        .list(['databasesOf', projectId], range)
        .map(({ key }) => key),
    );
  }

  /**
   * Assigns a new database to a project. Returns false if the name is already in use. Rejects with
   * `PROJECT_NOT_FOUND`, or with `namespace/too-many` if the project has too many databases.
   */
  claim(projectId: string, name: string): Promise<boolean> {
    return this.#recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      if (findOwner(records, name) !== undefined) return false;
      if (records.find(['projects', projectId]) === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
      const owned = records.listKeys(['databasesOf', projectId], { limit: MAX_DATABASES });
      if (owned.length >= MAX_DATABASES) throw new RequestError('namespace/too-many');
      claimDatabase(records, projectId, name);
      return true;
    });
  }

  #cacheOwner(name: string, owner: string): void {
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(name, owner);
  }
}

const MAX_CACHED = 10_000;

function findOwner(records: RecordView, name: string): string | undefined {
  const owner = records.find(['databases', name]);
  return typeof owner === 'string' ? owner : undefined;
}
