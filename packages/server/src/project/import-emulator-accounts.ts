import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { accountsBook } from '../accounts/account-book.ts';
import { batchCreate } from '../accounts/admin/batch-create.ts';
import { batchDelete } from '../accounts/admin/batch-delete.ts';
import { updateEmulatorConfig } from '../accounts/admin/emulator-methods.ts';
import { isFakeHash } from '../accounts/admin/imported-password.ts';
import { isJsonObject, type JsonObject } from '../accounts/fields.ts';
import { IdentityError } from '../accounts/identity-error.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { countAppFactors, type FileUser, toRequest } from '../users-cli/file-user.ts';
import { type HashParameterSets, readHashParametersFile } from '../users-cli/hash-parameters-file.ts';
import { readJsonUsers } from '../users-cli/read-json-users.ts';
import { ACCOUNTS_FILE, CONFIG_FILE, HASHES_FILE } from './emulator-accounts.ts';
import { findMetadata, findProductFolder } from './emulator-metadata.ts';
import type { ProjectAccounts } from './project-accounts.ts';
import { findProjectFile } from './project-file.ts';

/** Accounts in one call. */
const BATCH = 1_000;

/**
 * Replaces the accounts of a project by those that an export of an emulator suite holds, and returns their number;
 * `undefined` when it holds none. Sessions of accounts that remain go on. Tells `report` what is left out. Throws a
 * `StartFailure` that names the file; nothing is replaced when it is not JSON.
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
    if (file.startsWith('accounts-')) report(`${join(folder, file)} is left out: it is of a tenant.`);
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
  // Read to its end before anything is replaced.
  const uids = await readUids(path);
  if (config !== undefined) await accounts.call(updateEmulatorConfig, config);
  await deleteOthers(accounts, uids);
  let refused = 0;
  for await (const users of readBatches(path)) refused += await importBatch(users, hashes, accounts, report);
  return uids.size - refused;
}

async function readUids(path: string): Promise<ReadonlySet<string>> {
  const uids = new Set<string>();
  for await (const { localId } of readJsonUsers(createReadStream(path))) uids.add(String(localId));
  return uids;
}

async function deleteOthers(accounts: ProjectAccounts, uids: ReadonlySet<string>): Promise<void> {
  const { books } = accounts.services;
  let after: string | undefined;
  for (;;) {
    const range = { limit: BATCH, ...(after === undefined ? {} : { after }) };
    const found = books.read((view) =>
      view.book(accountsBook(accounts.projectId)).listKeys(['accounts'], range),
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

/** Returns how many accounts were refused. */
async function importBatch(
  batch: readonly FileUser[],
  hashes: HashParameterSets,
  accounts: ProjectAccounts,
  report: (line: string) => void,
): Promise<number> {
  let refused = 0;
  for (const [id, group] of Map.groupBy(batch, (user) => String(user['hashParametersId'] ?? ''))) {
    const parameters = hashes[id];
    const users = parameters === undefined ? group.map((user) => withoutUnknownHash(user, report)) : group;
    for (const user of users)
      if (countAppFactors(user) > 0)
        report(`${nameOf(user)} lacks its app for codes: secrets are in no file.`);
    const body = { ...parameters, users: users.map(toRequest), allowOverwrite: true };
    const { error } = await accounts.call(batchCreate, body);
    for (const { index, message } of [error ?? []].flat().filter(isJsonObject)) {
      report(`${nameOf(users[Number(index)])} is left out: ${String(message)}`);
      refused += 1;
    }
  }
  return refused;
}

/** The official emulator takes hashes that it cannot use, and exports them without what they were made with. */
function withoutUnknownHash(user: FileUser, report: (line: string) => void): FileUser {
  const { passwordHash, salt: _salt, ...rest } = user;
  if (passwordHash === undefined || isFakeHash(String(passwordHash))) return user;
  report(`${nameOf(user)} lacks its password: the export does not say how it is hashed.`);
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
      cause instanceof IdentityError ||
      (cause instanceof Error && 'code' in cause);
    throw isExpected ? new StartFailure(`${path}: ${cause.message}`, cause) : cause;
  }
}
