import type { Books, BookView, Place } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import {
  type AdminRole,
  parseServiceAccountEmail,
  type ServiceAccount,
  serviceAccountEmail,
} from './service-account.ts';
import { generateServiceAccountKey, type ServiceAccountKeyFile } from './service-account-key-file.ts';
import {
  decodeServiceAccount,
  decodeServiceAccountKey,
  encodeServiceAccount,
  type ServiceAccountKeyRecord,
  type ServiceAccountRecord,
} from './service-account-record.ts';

/** Most accounts of a project, and most keys of an account: each is tried when a token does not name its key. */
const MAX_ACCOUNTS = 100;
const MAX_KEYS = 10;

export interface ServiceAccountsOptions {
  readonly books: Books;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** An account as administrators see it, disabled or not. */
export interface ListedServiceAccount extends ServiceAccountRecord {
  readonly email: string;
  readonly keys: readonly (Omit<ServiceAccountKeyRecord, 'publicKey'> & { readonly keyId: string })[];
}

export type AccountCreation =
  | { readonly kind: 'created'; readonly email: string }
  | { readonly kind: 'exists'; readonly email: string }
  | { readonly kind: 'bad-name' }
  | { readonly kind: 'too-many' };

export type KeyCreation =
  | { readonly kind: 'created'; readonly keyFile: ServiceAccountKeyFile }
  | { readonly kind: 'no-such-account' }
  | { readonly kind: 'too-many' };

/** The service accounts of all projects, in the book of the installation. */
export class ServiceAccounts {
  readonly #books: Books;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor({ books, randomBytes }: ServiceAccountsOptions) {
    this.#books = books;
    this.#randomBytes = randomBytes;
  }

  /** The account of an address with its keys; `undefined` when it is unknown or disabled. */
  readonly find = (email: string): ServiceAccount | undefined => {
    const named = parseServiceAccountEmail(email);
    if (named === undefined) return undefined;
    const { projectId } = named;
    return this.#books.read((view) => {
      const book = view.book(INSTALLATION);
      const record = findRecord(book, accountPlace(email));
      if (record === undefined || record.isDisabled) return undefined;
      const keys = listKeys(book, email).map(({ keyId, publicKey }) => ({ keyId, publicKey }));
      return { email, projectId, roles: record.roles, keys };
    });
  };

  /** All of a project, without their keys' contents. */
  list(projectId: string): readonly ListedServiceAccount[] {
    return this.#books.read((view) => {
      const book = view.book(INSTALLATION);
      return book.list(['service-accounts', projectId], { limit: MAX_ACCOUNTS }).map(({ key, value }) => {
        const email = serviceAccountEmail(key, projectId);
        const keys = listKeys(book, email).map(({ keyId, createdAtMs }) => ({ keyId, createdAtMs }));
        return { ...decodeServiceAccount(value), email, keys };
      });
    });
  }

  create(projectId: string, name: string, roles: readonly AdminRole[]): Promise<AccountCreation> {
    const email = serviceAccountEmail(name, projectId);
    if (parseServiceAccountEmail(email)?.name !== name) return Promise.resolve({ kind: 'bad-name' });
    return this.#books.change((turn): AccountCreation => {
      const book = turn.book(INSTALLATION);
      if (findRecord(book, accountPlace(email)) !== undefined) return { kind: 'exists', email };
      const present = book.list(['service-accounts', projectId], { limit: MAX_ACCOUNTS });
      if (present.length === MAX_ACCOUNTS) return { kind: 'too-many' };
      const record = { roles, createdAtMs: turn.nowMs, isDisabled: false };
      book.write(accountPlace(email), encodeServiceAccount(record));
      return { kind: 'created', email };
    });
  }

  /** A further key. The file holds the private part, which exists nowhere else. */
  async createKey(email: string, tokenUrl: string): Promise<KeyCreation> {
    const projectId = parseServiceAccountEmail(email)?.projectId;
    if (projectId === undefined) return { kind: 'no-such-account' };
    const { keyFile, keyId, publicKey } = await generateServiceAccountKey({
      projectId,
      email,
      tokenUrl,
      randomBytes: this.#randomBytes,
    });
    return this.#books.change((turn): KeyCreation => {
      const book = turn.book(INSTALLATION);
      if (findRecord(book, accountPlace(email)) === undefined) return { kind: 'no-such-account' };
      if (listKeys(book, email).length === MAX_KEYS) return { kind: 'too-many' };
      const record: ServiceAccountKeyRecord = { publicKey, createdAtMs: turn.nowMs };
      book.write([...keysPlace(email), keyId], record);
      return { kind: 'created', keyFile };
    });
  }

  /** Takes a key back: neither it nor access tokens got by it count any more. Was there one? */
  removeKey(email: string, keyId: string): Promise<boolean> {
    return this.#books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const place = [...keysPlace(email), keyId];
      if (parseServiceAccountEmail(email) === undefined || book.find(place) === undefined) return false;
      book.write(place, null);
      return true;
    });
  }

  /** Switches an account off or on, with everything that was signed by it. Is there one? */
  setDisabled(email: string, isDisabled: boolean): Promise<boolean> {
    return this.#books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const record = findRecord(book, accountPlace(email));
      if (record === undefined) return false;
      book.write(accountPlace(email), encodeServiceAccount({ ...record, isDisabled }));
      return true;
    });
  }
}

function accountPlace(email: string): Place {
  return ['service-accounts', ...segments(email)];
}

function keysPlace(email: string): Place {
  return ['service-account-keys', ...segments(email)];
}

/** Of an address that is none of ours, a place where nothing is. */
function segments(email: string): Place {
  const named = parseServiceAccountEmail(email);
  return named === undefined ? ['-', '-'] : [named.projectId, named.name];
}

function findRecord(book: BookView, place: Place): ServiceAccountRecord | undefined {
  const json = book.find(place);
  return json === undefined ? undefined : decodeServiceAccount(json);
}

function listKeys(
  book: BookView,
  email: string,
): readonly (ServiceAccountKeyRecord & { readonly keyId: string })[] {
  return book
    .list(keysPlace(email), { limit: MAX_KEYS })
    .map(({ key, value }) => ({ keyId: key, ...decodeServiceAccountKey(value) }));
}
