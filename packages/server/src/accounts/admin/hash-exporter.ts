import type { BooksView } from '../../books/books.ts';
import type { HashParameters } from '../../passwords/hash-parameters.ts';
import type { Account } from '../account.ts';
import type { JsonObject } from '../fields.ts';
import { mustFindHashParameters } from '../hash-parameters-book.ts';
import type { IdentityServices } from '../identity-services.ts';
import { exportHash } from './export-hash.ts';

/** Exports the password hashes of accounts, and remembers the parameters that they need. */
export class HashExporter {
  readonly #services: IdentityServices;
  readonly #opened = new Map<string, HashParameters>();
  readonly #needed = new Map<string, JsonObject>();

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** The members of the account's JSON that hold its hash; none without a password. */
  export(view: BooksView, { password }: Account): JsonObject {
    if (password === null) return {};
    const { members, parametersId, parameters } = exportHash(password, (id) => this.#mustFind(view, id));
    this.#needed.set(parametersId, parameters);
    return members;
  }

  /** Parameters by their names. */
  get parameters(): JsonObject {
    return Object.fromEntries(this.#needed);
  }

  #mustFind(view: BooksView, id: string): HashParameters {
    const found = this.#opened.get(id) ?? mustFindHashParameters(view, this.#services, id);
    this.#opened.set(id, found);
    return found;
  }
}
