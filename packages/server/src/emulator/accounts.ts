import { createReadStream, createWriteStream, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { countAppFactors, type FileUser, toRequest } from '@hearth/core/api/account-file.ts';
import {
  type HashParameterSets,
  readHashParametersFile,
  readJsonUsers,
} from '../auth/accounts/account-file.ts';
import { accountRecords } from '../auth/accounts/account-store.ts';
import { batchDelete } from '../auth/accounts/delete.ts';
import { batchGet } from '../auth/accounts/export.ts';
import { batchCreate } from '../auth/accounts/import.ts';
import { isFakeHash } from '../auth/accounts/imported-password.ts';
import { AuthApiError } from '../auth/errors.ts';
import { Fields, isJsonObject, type JsonObject } from '../auth/fields.ts';
import { readEmulatorConfig, updateEmulatorConfig } from '../auth/projects/config-methods.ts';
import type { AuthRequest, ClientInfo } from '../auth/request.ts';
import type { AuthServices } from '../auth/services.ts';
import { projectScope } from '../auth/tenants/scope.ts';
import { CommandFailure, StartFailure } from '../platform/failures.ts';
import { MANY_CLIENTS } from '../platform/resource-pool.ts';
import { type EmulatorProduct, findMetadata, findProductFolder } from './export-format.ts';
import { findProjectFile } from './firebase-json.ts';

/** Default folder of the accounts in an export. */
const ACCOUNTS_FOLDER = 'auth_export';

/** The accounts of the project, in the form of `accounts:batchGet`. */
const ACCOUNTS_FILE = 'accounts.json';

/** The project settings that Firebase's emulator supports. */
const CONFIG_FILE = 'config.json';

/**
 * The hash parameters of the passwords in the accounts, by `hashParametersId`. This file is specific to Hearth:
 * Firebase's emulator stores plain passwords, and ignores a file with this name.
 */
const HASHES_FILE = 'password-hashes.json';

const CLIENT: ClientInfo = {
  address: '',
  network: MANY_CLIENTS,
  userAgent: 'hearth',
  requestId: null,
  locale: '',
  origin: null,
  isWeb: false,
};

/** The accounts of one project, for work outside of requests. */
export class ProjectAccounts {
  readonly services: AuthServices;
  readonly projectId: string;

  constructor(services: AuthServices, projectId: string) {
    this.services = services;
    this.projectId = projectId;
  }

  /** Calls an API method as an administrator who may read password hashes. */
  call<Answer>(
    method: (call: AuthRequest, services: AuthServices) => Promise<Answer>,
    body: JsonObject = {},
  ): Promise<Answer> {
    const project = this.services.projects.find(this.projectId);
    if (project === undefined) throw new StartFailure(`${this.projectId} is not a valid project ID.`);
    return method(
      {
        project,
        caller: { kind: 'admin', name: 'hearth', mayReadHashes: true, ownsProject: true },
        client: CLIENT,
        fields: new Fields(body),
        segments: { project: this.projectId },
        origin: '',
      },
      this.services,
    );
  }
}

const PAGE = 1_000;

/** Password hashes are secret. */
const FOR_OWNER = { mode: 0o600, flush: true } as const;

/**
 * Returns the product that writes the accounts and the settings of a project. If the project has no accounts and the
 * earlier export was not imported, the accounts of the earlier export remain: they may come from Firebase's emulator.
 */
export function accountsProduct(accounts: ProjectAccounts, wasImported: boolean): EmulatorProduct {
  return {
    name: 'auth',
    folder: ACCOUNTS_FOLDER,
    async write(folder) {
      const pages = new AccountPages(accounts);
      const source = Readable.from(pages.text(), { objectMode: false });
      await pipeline(source, createWriteStream(join(folder, ACCOUNTS_FILE), FOR_OWNER));
      if (pages.count === 0 && !wasImported) return undefined;
      if (Object.keys(pages.hashes).length > 0) writeJson(join(folder, HASHES_FILE), pages.hashes);
      writeJson(join(folder, CONFIG_FILE), await accounts.call(readEmulatorConfig));
      return pages.count === 1 ? '1 account' : `${pages.count} accounts`;
    },
  };
}

class AccountPages {
  readonly #accounts: ProjectAccounts;
  count = 0;
  /** The hash parameters of the passwords that were read. */
  hashes: JsonObject = {};

  constructor(accounts: ProjectAccounts) {
    this.#accounts = accounts;
  }

  /** Yields the JSON of all accounts in pieces. Sets `count` and `hashes`. */
  async *text(): AsyncGenerator<string> {
    yield '{"kind":"identitytoolkit#DownloadAccountResponse","users":[';
    for (let nextPageToken: unknown = ''; nextPageToken !== undefined; ) {
      const page = await this.#accounts.call(batchGet, { maxResults: PAGE, nextPageToken });
      for (const user of [page['users'] ?? []].flat()) {
        yield `${this.count === 0 ? '' : ','}\n${JSON.stringify(user)}`;
        this.count += 1;
      }
      this.hashes = { ...this.hashes, ...Object(page['hashParameters']) };
      nextPageToken = page['nextPageToken'];
    }
    yield '\n]}\n';
  }
}

function writeJson(path: string, json: JsonObject): void {
  writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`, FOR_OWNER);
}

/** Number of accounts in one call. */
const BATCH = 1_000;

/**
 * Replaces the accounts and the settings of a project by those in an emulator export. Returns the number of imported
 * accounts; `undefined` if the export has no file of accounts. Accounts that the export also contains keep their
 * sessions. Reports accounts, passwords and files that are left out. Throws a `StartFailure` that names the file if the
 * import fails; replaces nothing if the file is not valid JSON.
 */
export async function importEmulatorAccounts(
  name: string,
  accounts: ProjectAccounts,
  report: (line: string) => void,
): Promise<number | undefined> {
  const directory = resolve(name);
  const folder = findProductFolder(directory, findMetadata(directory) ?? {}, 'auth');
  if (folder === undefined) return undefined;
  for (const file of readdirSync(folder))
    if (file.startsWith('accounts-')) report(`${join(folder, file)} was skipped: it belongs to a tenant.`);
  const path = join(folder, ACCOUNTS_FILE);
  if (!existsSync(path)) return undefined;
  const config = findProjectFile(join(folder, CONFIG_FILE), join(folder, CONFIG_FILE));
  return withFileName(path, () => replaceAccounts(path, findHashes(folder), config, accounts, report));
}

function findHashes(folder: string): HashParameterSets {
  const path = join(folder, HASHES_FILE);
  return existsSync(path) ? readHashParametersFile(path) : {};
}

async function replaceAccounts(
  path: string,
  hashes: HashParameterSets,
  config: JsonObject | undefined,
  accounts: ProjectAccounts,
  report: (line: string) => void,
): Promise<number> {
  // The file is read to its end before anything is replaced.
  const uids = await readUids(path);
  if (config !== undefined) await accounts.call(updateEmulatorConfig, config);
  await deleteOthers(accounts, uids);
  let denied = 0;
  for await (const users of readBatches(path)) denied += await importBatch(users, hashes, accounts, report);
  return uids.size - denied;
}

async function readUids(path: string): Promise<ReadonlySet<string>> {
  const uids = new Set<string>();
  for await (const { localId } of readJsonUsers(createReadStream(path))) uids.add(String(localId));
  return uids;
}

async function deleteOthers(accounts: ProjectAccounts, uids: ReadonlySet<string>): Promise<void> {
  const { recordStore } = accounts.services;
  let after: string | undefined;
  for (;;) {
    const range = { limit: BATCH, ...(after === undefined ? {} : { after }) };
    const found = recordStore.read((view) =>
      view.records(accountRecords(projectScope(accounts.projectId))).listKeys(['accounts'], range),
    );
    const localIds = found.filter((uid) => !uids.has(uid));
    if (localIds.length > 0) await accounts.call(batchDelete, { localIds, force: true });
    after = found.at(-1);
    if (found.length < BATCH) return;
    await setImmediate();
  }
}

async function* readBatches(path: string): AsyncGenerator<readonly FileUser[]> {
  let batch: FileUser[] = [];
  for await (const user of readJsonUsers(createReadStream(path))) {
    batch.push(user);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Imports a batch and returns the number of rejected accounts. */
async function importBatch(
  batch: readonly FileUser[],
  hashes: HashParameterSets,
  accounts: ProjectAccounts,
  report: (line: string) => void,
): Promise<number> {
  let denied = 0;
  for (const [id, group] of Map.groupBy(batch, (user) => String(user['hashParametersId'] ?? ''))) {
    const parameters = hashes[id];
    const users = parameters === undefined ? group.map((user) => withoutUnknownHash(user, report)) : group;
    for (const user of users)
      if (countAppFactors(user) > 0)
        report(
          `${nameOf(user)} was imported without its authenticator app, because exports do not contain its secret.`,
        );
    const body = { ...parameters, users: users.map(toRequest), allowOverwrite: true };
    const { error } = await accounts.call(batchCreate, body);
    for (const { index, message } of [error ?? []].flat().filter(isJsonObject)) {
      report(`${nameOf(users[Number(index)])} was skipped: ${String(message)}`);
      denied += 1;
    }
  }
  return denied;
}

/**
 * Returns the account without its password hash and reports this, unless the hash is one of Firebase's emulator. The
 * emulator also accepts other hashes, which it cannot use, and exports them without their parameters.
 */
function withoutUnknownHash(user: FileUser, report: (line: string) => void): FileUser {
  const { passwordHash, salt: _salt, ...rest } = user;
  if (passwordHash === undefined || isFakeHash(String(passwordHash))) return user;
  report(
    `${nameOf(user)} was imported without its password, because the export does not name the hash algorithm.`,
  );
  return rest;
}

function nameOf(user: FileUser | undefined): string {
  return `The account ${String(user?.['localId'])}`;
}

async function withFileName<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    const isExpected =
      cause instanceof CommandFailure ||
      cause instanceof AuthApiError ||
      (cause instanceof Error && 'code' in cause);
    throw isExpected ? new StartFailure(`${path}: ${cause.message}`, cause) : cause;
  }
}
