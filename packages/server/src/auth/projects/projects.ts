import { RecentMap } from '../../platform/recent-map.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { memoizeByObject, requireRecord } from '../stored-record.ts';
import { projectScope } from '../tenants/scope.ts';
import { claimDatabase, databasesOfNewProject } from './database-owners.ts';
import {
  DEVELOPMENT_SETTINGS,
  decodeProject,
  encodeProject,
  type Project,
  type ProjectSettings,
  projectNumber,
} from './project.ts';

const KEY_LENGTH = 39;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** Distinguishes the key from keys of other vendors. */
const PREFIX = 'AHearth-';

/** Creates a key that selects a project. The key is not a secret, but it must not be guessable. */
function createApiKey(randomBytes: (count: number) => Uint8Array): string {
  const bytes = randomBytes(KEY_LENGTH - PREFIX.length);
  return PREFIX + Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Prefix of console keys. No API key has it. */
const CONSOLE_PREFIX = 'console.';

/**
 * Returns the key with which the console selects a project for its sign-in. Every caller can compute it, because
 * it contains nothing but the project id; only the methods that the console needs accept it.
 */
export function consoleKeyOf(projectId: string): string {
  return `${CONSOLE_PREFIX}${projectId}`;
}

export function isConsoleKey(apiKey: string): boolean {
  return apiKey.startsWith(CONSOLE_PREFIX);
}

/** Stores a key under its own name, for lookups, and below its project, for its owners. */
function saveApiKey(records: RecordTransaction, projectId: string, apiKey: string, nowMs: number): void {
  records.write(['apiKeys', apiKey], projectId);
  records.write(['apiKeysOf', projectId, apiKey], nowMs);
}

function removeApiKey(records: RecordTransaction, projectId: string, apiKey: string): void {
  records.write(['apiKeys', apiKey], null);
  records.write(['apiKeysOf', projectId, apiKey], null);
}

/** A project to be created, with its first API key. */
export interface NewProject {
  readonly project: Project;
  readonly apiKey: string;
}

/** Matches ids of new projects. The databases of a project with such an id have valid names. */
const ID = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** Returns a project that is not saved yet. Throws `INVALID_PROJECT_ID` if the id is not valid. */
export function prepareProject(
  id: string,
  settings: ProjectSettings,
  randomBytes: (count: number) => Uint8Array,
): NewProject {
  if (!ID.test(id))
    throw new AuthApiError(
      'INVALID_PROJECT_ID',
      'A project ID must have 1 to 50 lowercase letters, digits and inner hyphens.',
    );
  return {
    project: { id, number: projectNumber(id), settings, scope: projectScope(id) },
    apiKey: createApiKey(randomBytes),
  };
}

/**
 * Saves a project with its API key, and claims its databases. Throws `INVALID_PROJECT_ID` if the id is already
 * in use.
 */
export function saveNewProject(
  records: RecordTransaction,
  { project, apiKey }: NewProject,
  nowMs: number,
): void {
  const { id } = project;
  if (records.find(['projects', id]) !== undefined)
    throw new AuthApiError('INVALID_PROJECT_ID', `The project ${id} already exists.`);
  records.write(['projects', id], encodeProject(project));
  saveApiKey(records, id, apiKey, nowMs);
  for (const name of databasesOfNewProject(id)) claimDatabase(records, id, name);
}

export interface ProjectsOptions {
  readonly recordStore: RecordStore;
  readonly randomBytes: (count: number) => Uint8Array;
  /**
   * The project for requests that name none, and the settings of projects that are created by their first use;
   * `null` if projects must be created explicitly.
   */
  readonly onDemand: { readonly defaultProject: string; readonly settings: ProjectSettings } | null;
}

const PROJECT_ID = /^[a-z0-9](?:[a-z0-9:._-]{0,126}[a-z0-9])?$/i;
const projectOf = memoizeByObject((record: JsonObject, id: string) => decodeProject(id, record));
/** Maximum number of API keys of a project. */
const MAX_KEYS = 100;
const MAX_CACHED = 1_000;

/**
 * Opens the projects of this server. `developmentProject` is the project for requests that name none, in development mode;
 * otherwise `null`.
 */
export function openProjects({
  developmentProject,
  ...options
}: Pick<ProjectsOptions, 'recordStore' | 'randomBytes'> & {
  readonly developmentProject: string | null;
}): Projects {
  const onDemand =
    developmentProject === null
      ? null
      : { defaultProject: developmentProject, settings: DEVELOPMENT_SETTINGS };
  return new Projects({ ...options, onDemand });
}

/** The projects of this server. */
export class Projects {
  readonly #options: ProjectsOptions;
  /** Cache of development-mode projects that have no stored record. */
  readonly #unchanged = new RecentMap<Project>(MAX_CACHED);

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /**
   * Returns the project to which an API key or a console key belongs. In development mode, unknown keys select
   * the default project.
   */
  findByKey(apiKey: string): Project | undefined {
    const named = isConsoleKey(apiKey) ? apiKey.slice(CONSOLE_PREFIX.length) : '';
    if (this.isStored(named)) return this.find(named);
    const { recordStore, onDemand } = this.#options;
    const id = recordStore.read((view) => view.records(INSTALLATION).find(['apiKeys', apiKey]));
    if (typeof id === 'string') return this.find(id);
    return onDemand === null ? undefined : this.find(onDemand.defaultProject);
  }

  /** Returns a project by its id. In development mode a project exists for every valid id. */
  find(id: string): Project | undefined {
    const json = this.#options.recordStore.read((view) => view.records(INSTALLATION).find(['projects', id]));
    return json === undefined ? this.#findUnchanged(id) : projectOf(requireRecord(json), id);
  }

  #findUnchanged(id: string): Project | undefined {
    const known = this.#unchanged.find(id);
    if (known !== undefined) return known;
    const { onDemand } = this.#options;
    if (onDemand === null || !PROJECT_ID.test(id)) return undefined;
    const project = { id, number: projectNumber(id), settings: onDemand.settings, scope: projectScope(id) };
    this.#unchanged.write(id, project);
    return project;
  }

  /** Returns the ids of projects that were created or changed, in order. */
  ids(after: string | undefined, limit: number): readonly string[] {
    const range = after === undefined ? { limit } : { after, limit };
    const list = (view: RecordView): readonly string[] =>
      view.list(['projects'], range).map(({ key }) => key);
    return this.#options.recordStore.read((view) => list(view.records(INSTALLATION)));
  }

  /** Returns whether the project was created or changed. In development mode, other projects exist without a record. */
  isStored(id: string): boolean {
    return (
      id !== '' &&
      this.#options.recordStore.read((view) => view.records(INSTALLATION).find(['projects', id])) !==
        undefined
    );
  }

  /** Creates a project with its first API key. Rejects with `INVALID_PROJECT_ID` if the id is in use or invalid. */
  async create(id: string, settings: ProjectSettings): Promise<NewProject> {
    const { recordStore, randomBytes } = this.#options;
    const made = prepareProject(id, settings, randomBytes);
    await recordStore.change((transaction) =>
      saveNewProject(transaction.records(INSTALLATION), made, transaction.nowMs),
    );
    return made;
  }

  /** Returns the API keys of a project, in order. Throws `PROJECT_NOT_FOUND` if the project was not created. */
  keys(id: string): readonly ApiKey[] {
    return this.#options.recordStore.read((view) => {
      const records = view.records(INSTALLATION);
      requireCreated(records, id);
      return listKeys(records, id);
    });
  }

  async addKey(id: string): Promise<string> {
    const { recordStore, randomBytes } = this.#options;
    const apiKey = createApiKey(randomBytes);
    await recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      requireCreated(records, id);
      if (listKeys(records, id).length >= MAX_KEYS)
        throw new AuthApiError('INVALID_CONFIG', `A project has at most ${MAX_KEYS} keys.`);
      saveApiKey(records, id, apiKey, transaction.nowMs);
    });
    return apiKey;
  }

  /**
   * Removes an API key: later requests that use it are rejected. Returns whether the key belonged to the
   * project.
   */
  removeKey(id: string, apiKey: string): Promise<boolean> {
    return this.#options.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      requireCreated(records, id);
      if (apiKey === '' || records.find(['apiKeys', apiKey]) !== id) return false;
      removeApiKey(records, id, apiKey);
      return true;
    });
  }

  /**
   * Replaces the settings of a project. `change` receives the settings as they are within the transaction. Rejects with
   * `PROJECT_NOT_FOUND`, or with an error that `change` throws.
   */
  async change(id: string, change: (settings: ProjectSettings) => ProjectSettings): Promise<Project> {
    const found = this.find(id);
    if (found === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
    return this.#options.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const json = records.find(['projects', id]);
      const before = json === undefined ? found : projectOf(requireRecord(json), id);
      const after = { ...before, settings: change(before.settings) };
      records.write(['projects', id], encodeProject(after));
      return after;
    });
  }
}

/** An API key of a project, and its creation time. */
export interface ApiKey {
  readonly apiKey: string;
  readonly createdAtMs: number;
}

function requireCreated(records: RecordView, id: string): void {
  if (id === '' || records.find(['projects', id]) === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
}

function listKeys(records: RecordView, id: string): readonly ApiKey[] {
  return records
    .list(['apiKeysOf', id], { limit: MAX_KEYS })
    .map(({ key, value }) => ({ apiKey: key, createdAtMs: Number(value) }));
}
