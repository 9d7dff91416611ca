import type { Books, BookView } from '../books/books.ts';
import { isJsonObject } from './fields.ts';
import { IdentityError } from './identity-error.ts';
import type { Project } from './project.ts';
import type { ProjectSettings } from './project-settings.ts';
import { decodeSettings, encodeSettings } from './project-settings-record.ts';

/**
 * The book of what all projects share.
 *
 * | place              | record                                                     |
 * |--------------------|------------------------------------------------------------|
 * | projects / id      | number, settings                                           |
 * | apiKeys / key      | the id of the project that it selects                      |
 */
export const INSTALLATION = 'installation';

export interface ProjectsOptions {
  readonly books: Books;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The project of whoever names none, and the settings of projects that come to be by being asked for; `null` if none do. */
  readonly onDemand: { readonly defaultProject: string; readonly settings: ProjectSettings } | null;
}

const PROJECT_ID = /^[a-z0-9](?:[a-z0-9:._-]{0,126}[a-z0-9])?$/i;
const API_KEY_LENGTH = 39;
const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** So that nobody takes a key for one of another maker. */
const KEY_PREFIX = 'AHearth-';

/** The projects of this server. */
export class Projects {
  readonly #options: ProjectsOptions;
  /** Settings change seldom and are read by every request. */
  readonly #known = new Map<string, Project>();

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
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const { books, onDemand } = this.#options;
    const json = PROJECT_ID.test(id)
      ? books.read((view) => view.book(INSTALLATION).find(['projects', id]))
      : undefined;
    const stored = json === undefined ? undefined : decodeProject(id, json);
    if (stored !== undefined) return this.#remember(stored);
    return onDemand === null || !PROJECT_ID.test(id)
      ? undefined
      : this.#remember({ id, number: projectNumber(id), settings: onDemand.settings });
  }

  /** Ids of the projects that were created or changed, in order. */
  ids(after: string | undefined, limit: number): readonly string[] {
    const range = after === undefined ? { limit } : { after, limit };
    const list = (view: BookView): readonly string[] => view.list(['projects'], range).map(({ key }) => key);
    return this.#options.books.read((view) => list(view.book(INSTALLATION)));
  }

  /** Makes a project with a first API key. Refuses an id that is taken or that no project can have. */
  async create(id: string, settings: ProjectSettings): Promise<{ project: Project; apiKey: string }> {
    if (!PROJECT_ID.test(id)) throw new IdentityError('INVALID_PROJECT_ID');
    const project: Project = { id, number: projectNumber(id), settings };
    const apiKey = this.#createKey();
    await this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      if (book.find(['projects', id]) !== undefined)
        throw new IdentityError('INVALID_PROJECT_ID', `There is a project ${id}.`);
      book.write(['projects', id], encodeProject(project));
      book.write(['apiKeys', apiKey], id);
    });
    this.#known.delete(id);
    return { project, apiKey };
  }

  async addKey(id: string): Promise<string> {
    const apiKey = this.#createKey();
    await this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      if (book.find(['projects', id]) === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
      book.write(['apiKeys', apiKey], id);
    });
    return apiKey;
  }

  /** Replaces the settings of a project; `change` is given those that hold in its turn. */
  async change(id: string, change: (settings: ProjectSettings) => ProjectSettings): Promise<Project> {
    const found = this.find(id);
    if (found === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
    const project = await this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const json = book.find(['projects', id]);
      const before = json === undefined ? found : decodeProject(id, json);
      const after = { ...before, settings: change(before.settings) };
      book.write(['projects', id], encodeProject(after));
      return after;
    });
    this.#known.delete(id);
    return project;
  }

  #createKey(): string {
    const bytes = this.#options.randomBytes(API_KEY_LENGTH - KEY_PREFIX.length);
    return KEY_PREFIX + Array.from(bytes, (byte) => KEY_ALPHABET.charAt(byte % KEY_ALPHABET.length)).join('');
  }

  #remember(project: Project): Project {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(project.id, project);
    return project;
  }
}

const MAX_REMEMBERED = 1_000;

function encodeProject({ number, settings }: Project): Readonly<Record<string, unknown>> {
  return { number, settings: encodeSettings(settings) };
}

function decodeProject(id: string, json: unknown): Project {
  if (!isJsonObject(json)) throw new Error('Bug: a stored project is no object.');
  return {
    id,
    number: typeof json['number'] === 'string' ? json['number'] : projectNumber(id),
    settings: decodeSettings(json['settings']),
  };
}

/** 12 digits that the id alone decides, so that every server of a project agrees. */
function projectNumber(id: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return String(100_000_000_000n + (hash % 900_000_000_000n));
}
