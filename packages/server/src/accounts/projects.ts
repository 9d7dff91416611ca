import type { Books, BookView } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import { RecentMap } from '../ops/recent-map.ts';
import { createApiKey, removeApiKey, saveApiKey } from './api-key.ts';
import type { JsonObject } from './fields.ts';
import { IdentityError } from './identity-error.ts';
import { type NewProject, prepareProject, saveNewProject } from './new-project.ts';
import { onceForEach } from './once-for-each.ts';
import { decodeProject, encodeProject, type Project, projectNumber } from './project.ts';
import type { ProjectSettings } from './project-settings.ts';
import { mustBeRecord } from './stored-record.ts';

export interface ProjectsOptions {
  readonly books: Books;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The project of whoever names none, and the settings of projects that come to be by being asked for; `null` if none do. */
  readonly onDemand: { readonly defaultProject: string; readonly settings: ProjectSettings } | null;
}

const PROJECT_ID = /^[a-z0-9](?:[a-z0-9:._-]{0,126}[a-z0-9])?$/i;
const projectOf = onceForEach((record: JsonObject, id: string) => decodeProject(id, record));
/** Most keys of a project. */
const MAX_KEYS = 100;
const MAX_REMEMBERED = 1_000;

/** The projects of this server. */
export class Projects {
  readonly #options: ProjectsOptions;
  /** Those of development mode that nobody has changed. */
  readonly #unchanged = new RecentMap<Project>(MAX_REMEMBERED);

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** The project that an API key selects; in development mode any key selects the default one. */
  findByKey(apiKey: string): Project | undefined {
    const { books, onDemand } = this.#options;
    const id = books.read((view) => view.book(INSTALLATION).find(['apiKeys', apiKey]));
    if (typeof id === 'string') return this.find(id);
    return onDemand === null ? undefined : this.find(onDemand.defaultProject);
  }

  /** A project by its id; in development mode there is one of every id. */
  find(id: string): Project | undefined {
    const json = this.#options.books.read((view) => view.book(INSTALLATION).find(['projects', id]));
    return json === undefined ? this.#findUnchanged(id) : projectOf(mustBeRecord(json), id);
  }

  #findUnchanged(id: string): Project | undefined {
    const known = this.#unchanged.find(id);
    if (known !== undefined) return known;
    const { onDemand } = this.#options;
    if (onDemand === null || !PROJECT_ID.test(id)) return undefined;
    const project = { id, number: projectNumber(id), settings: onDemand.settings };
    this.#unchanged.write(id, project);
    return project;
  }

  /** Ids of the projects that were created or changed, in order. */
  ids(after: string | undefined, limit: number): readonly string[] {
    const range = after === undefined ? { limit } : { after, limit };
    const list = (view: BookView): readonly string[] => view.list(['projects'], range).map(({ key }) => key);
    return this.#options.books.read((view) => list(view.book(INSTALLATION)));
  }

  /** Was the project made, or changed, and not merely asked for? */
  isMade(id: string): boolean {
    return (
      id !== '' &&
      this.#options.books.read((view) => view.book(INSTALLATION).find(['projects', id])) !== undefined
    );
  }

  /** Makes a project with a first API key. Refuses an id that is taken or that no project can have. */
  async create(id: string, settings: ProjectSettings): Promise<NewProject> {
    const { books, randomBytes } = this.#options;
    const made = prepareProject(id, settings, randomBytes);
    await books.change((turn) => saveNewProject(turn.book(INSTALLATION), made, turn.nowMs));
    return made;
  }

  /** The keys of a project, in order. Refuses a project that was not made. */
  keys(id: string): readonly ApiKey[] {
    return this.#options.books.read((view) => {
      const book = view.book(INSTALLATION);
      mustBeMade(book, id);
      return listKeys(book, id);
    });
  }

  async addKey(id: string): Promise<string> {
    const { books, randomBytes } = this.#options;
    const apiKey = createApiKey(randomBytes);
    await books.change((turn) => {
      const book = turn.book(INSTALLATION);
      mustBeMade(book, id);
      if (listKeys(book, id).length >= MAX_KEYS)
        throw new IdentityError('INVALID_CONFIG', `A project has at most ${MAX_KEYS} keys.`);
      saveApiKey(book, id, apiKey, turn.nowMs);
    });
    return apiKey;
  }

  /** Takes a key back: requests that show it are refused from now on. Was it one of the project? */
  removeKey(id: string, apiKey: string): Promise<boolean> {
    return this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      mustBeMade(book, id);
      if (apiKey === '' || book.find(['apiKeys', apiKey]) !== id) return false;
      removeApiKey(book, id, apiKey);
      return true;
    });
  }

  /** Replaces the settings of a project; `change` is given those that hold in its turn. */
  async change(id: string, change: (settings: ProjectSettings) => ProjectSettings): Promise<Project> {
    const found = this.find(id);
    if (found === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
    return this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const json = book.find(['projects', id]);
      const before = json === undefined ? found : projectOf(mustBeRecord(json), id);
      const after = { ...before, settings: change(before.settings) };
      book.write(['projects', id], encodeProject(after));
      return after;
    });
  }
}

/** A key of a project, and when it was made. */
export interface ApiKey {
  readonly apiKey: string;
  readonly createdAtMs: number;
}

function mustBeMade(book: BookView, id: string): void {
  if (id === '' || book.find(['projects', id]) === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
}

function listKeys(book: BookView, id: string): readonly ApiKey[] {
  return book
    .list(['apiKeysOf', id], { limit: MAX_KEYS })
    .map(({ key, value }) => ({ apiKey: key, createdAtMs: Number(value) }));
}
