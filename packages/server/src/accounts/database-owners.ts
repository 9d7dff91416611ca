import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books, BookTurn, BookView } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import { IdentityError } from './identity-error.ts';

/**
 * Which project owns which databases, in the book of the installation. A name belongs to one project for good.
 *
 * | place                              | record                |
 * |------------------------------------|-----------------------|
 * | databases / name                   | the id of the project |
 * | databasesOf / project / name       | true                  |
 */

const DEFAULT_SUFFIX = '-default-rtdb';
/** Most databases of one project. */
const MAX_DATABASES = 100;

/** The databases that are a new project's: those that clients name without being told. */
export function databasesOfNewProject(projectId: string): readonly string[] {
  return [`${projectId}${DEFAULT_SUFFIX}`, projectId];
}

/**
 * May those of a project alone give a database this name? None that a project of another name begins with, as far as that can
 * be told: the server's administrator may make a project `shop-eu` beside `shop`.
 */
export function isNameOfProject(name: string, projectId: string): boolean {
  if (databasesOfNewProject(projectId).includes(name)) return true;
  return name.startsWith(`${projectId}-`) && !name.endsWith(DEFAULT_SUFFIX);
}

/** Makes a database a project's, in the turn of another change. Refuses one that is another project's. */
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
  /** Owners do not change, and every request asks for one. */
  readonly #known = new Map<string, string>();

  constructor(books: Books) {
    this.#books = books;
  }

  /** The project of a database; `undefined` for one that is no project's. */
  find(name: string): string | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const owner = this.#books.read((view) => findOwner(view.book(INSTALLATION), name));
    if (owner !== undefined) this.#remember(name, owner);
    return owner;
  }

  /** Names of a project's databases, in order: those after a name, at most `limit`. */
  list(projectId: string, after: string, limit: number): readonly string[] {
    const range = after === '' ? { limit } : { after, limit };
    return this.#books.read((view) =>
      view
        .book(INSTALLATION)
        .list(['databasesOf', projectId], range)
        .map(({ key }) => key),
    );
  }

  /** Gives a project a database. Was there none of this name? Refuses one too many with `namespace/too-many`. */
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
