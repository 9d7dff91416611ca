import { Refusal } from '@hearth/core/error/request-error.ts';
import { type Books, type BookTurn, type BookView, INSTALLATION } from '../../records/store.ts';
import { IdentityError } from '../errors.ts';

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
/** Most databases of one project. */
const MAX_DATABASES = 100;

/** Returns the databases that belong to a new project. Clients use these names without being configured. */
export function databasesOfNewProject(projectId: string): readonly string[] {
  return [`${projectId}${DEFAULT_SUFFIX}`, projectId];
}

/**
 * Whether only callers of this project may give a database this name. Such names must not start with the id of
 * another project, as far as that can be avoided: the server's administrator may create a project `shop-eu` in
 * addition to `shop`.
 */
export function isNameOfProject(name: string, projectId: string): boolean {
  if (databasesOfNewProject(projectId).includes(name)) return true;
  return name.startsWith(`${projectId}-`) && !name.endsWith(DEFAULT_SUFFIX);
}

/**
 * Assigns a database to a project, within another transaction. Throws `INVALID_PROJECT_ID` if it belongs to
 * another project.
 */
export function claimDatabase(book: BookTurn, projectId: string, name: string): void {
  const owner = findOwner(book, name);
  if (owner !== undefined && owner !== projectId)
    throw new IdentityError('INVALID_PROJECT_ID', `The database ${name} belongs to another project.`);
  book.write(['databases', name], projectId);
  book.write(['databasesOf', projectId, name], true);
}

/** The databases of all projects. */
export class DatabaseOwners {
  readonly #books: Books;
  /** A cache: owners never change, and every request needs one. */
  readonly #known = new Map<string, string>();

  constructor(books: Books) {
    this.#books = books;
  }

  /** Returns the project that owns a database, or `undefined` if no project owns it. */
  find(name: string): string | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const owner = this.#books.read((view) => findOwner(view.book(INSTALLATION), name));
    if (owner !== undefined) this.#remember(name, owner);
    return owner;
  }

  /** Returns the names of a project's databases in order: those after `after`, at most `limit`. */
  list(projectId: string, after: string, limit: number): readonly string[] {
    const range = after === '' ? { limit } : { after, limit };
    return this.#books.read((view) =>
      view
        .book(INSTALLATION)
        .list(['databasesOf', projectId], range)
        .map(({ key }) => key),
    );
  }

  /**
   * Assigns a new database to a project. Returns false if the name is already in use. Rejects with
   * `namespace/too-many` if the project has too many databases.
   */
  claim(projectId: string, name: string): Promise<boolean> {
    return this.#books.change((turn) => {
      const book = turn.book(INSTALLATION);
      if (findOwner(book, name) !== undefined) return false;
      if (book.find(['projects', projectId]) === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
      const owned = book.listKeys(['databasesOf', projectId], { limit: MAX_DATABASES });
      if (owned.length >= MAX_DATABASES) throw new Refusal('namespace/too-many');
      claimDatabase(book, projectId, name);
      return true;
    });
  }

  #remember(name: string, owner: string): void {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(name, owner);
  }
}

const MAX_REMEMBERED = 10_000;

function findOwner(book: BookView, name: string): string | undefined {
  const owner = book.find(['databases', name]);
  return typeof owner === 'string' ? owner : undefined;
}
