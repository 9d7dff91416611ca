import { resolve } from 'node:path';
import { countAppFactors, type FileUser, objectsOf, toRequest } from '@hearth/core/api/account-file.ts';
import { type HashParameterSets, printJson, readJsonUsers } from '../../auth/accounts/account-file.ts';
import type { JsonObject } from '../../auth/fields.ts';
import { elapsedMs } from '../../platform/clock.ts';
import { CommandFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { runWithProgress } from '../progress.ts';
import { plural } from '../rules/terminal.ts';
import { SourceFile } from '../transfer/source-file.ts';
import {
  type AccountsServer,
  callAccounts,
  nameOfAccounts,
  type RetryOptions,
  readUserFormat,
  readUsersServer,
  withRetry,
} from './accounts-client.ts';
import { decodeCsvUser, readCsvRows } from './csv.ts';
import { readHashParameterSets, readHashParameters } from './hash-flags.ts';
import { USERS_IMPORT_OPTIONS } from './options.ts';

export interface UserImport {
  readonly server: AccountsServer;
  readonly source: SourceFile;
  /** The hash parameters of accounts that name none; `undefined` if not given. */
  readonly parameters: JsonObject | undefined;
  readonly sets: HashParameterSets;
  readonly mayOverwrite: boolean;
  /** Whether to only read the file, without changes on the server. */
  readonly isDry: boolean;
  readonly elapsedMs: () => number;
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  readonly report: (sentence: string) => void;
}

/** The result of an import. */
export interface UserImportOutcome {
  readonly count: number;
  readonly rejected: number;
  /** The number of accounts that already exist; counted only in a dry run. */
  readonly existing: number;
  /** The number of authenticator apps that are not imported, because no file contains their secrets. */
  readonly skippedApps: number;
}

/** Maximum number of accounts per request, which is also the limit of a server. */
const BATCH = 1_000;
/**
 * Maximum length of the JSON of one request, in UTF-16 code units. The limit of a server is slightly higher.
 */
const MAX_BATCH_LENGTH = 4_000_000;
/** Maximum number of rejected accounts that are reported individually. */
const MAX_REPORTED = 100;

/**
 * Sends the accounts of a file to a server. Sending an account twice creates it once, so the same file may be
 * sent again.
 */
export async function importUsers(job: UserImport): Promise<UserImportOutcome> {
  const progress = new ImportProgress(job);
  let batch: FileUser[] = [];
  let length = 0;
  for await (const user of readUsers(job.source)) {
    batch.push(user);
    length += printJson(user).length;
    if (batch.length < BATCH && length < MAX_BATCH_LENGTH) continue;
    await progress.send(batch);
    batch = [];
    length = 0;
  }
  await progress.send(batch);
  return progress.outcome;
}

/** Yields the accounts of a file one by one. */
export async function* readUsers(source: SourceFile): AsyncGenerator<FileUser> {
  const chunks = source.read(0);
  if (readUserFormat(source.path) === 'json') yield* readJsonUsers(chunks);
  else for await (const row of readCsvRows(chunks)) yield decodeCsvUser(row);
}

/** The result of one request. */
type BatchResult = Pick<UserImportOutcome, 'rejected' | 'existing'>;

/** Sends accounts, with one request for each set of hash parameters, and adds up the results. */
class ImportProgress {
  readonly #job: UserImport;
  readonly #retryOptions: RetryOptions;
  outcome: UserImportOutcome = { count: 0, rejected: 0, existing: 0, skippedApps: 0 };

  constructor(job: UserImport) {
    this.#job = job;
    const { server, elapsedMs, report } = job;
    this.#retryOptions = { signal: server.signal, elapsedMs, report };
  }

  async send(users: readonly FileUser[]): Promise<void> {
    const { source, onBytes, isDry } = this.#job;
    // The requests run one after another, because the first request of an import is not retried when the
    // server is unavailable.
    for (const [id, group] of Map.groupBy(users, (user) => String(user['hashParametersId'] ?? ''))) {
      const done = isDry ? await this.#countExisting(group) : await this.#import(id, group);
      const { count, rejected, existing, skippedApps } = this.outcome;
      this.outcome = {
        count: count + group.length,
        rejected: rejected + done.rejected,
        existing: existing + done.existing,
        skippedApps: skippedApps + group.reduce((sum, user) => sum + countAppFactors(user), 0),
      };
    }
    onBytes(source.readBytes, source.sizeBytes);
  }

  async #import(id: string, users: readonly FileUser[]): Promise<BatchResult> {
    const { server, mayOverwrite } = this.#job;
    const body = {
      ...this.#parametersOf(id, users),
      users: users.map(toRequest),
      allowOverwrite: mayOverwrite,
    };
    const call = (): ReturnType<typeof callAccounts> => callAccounts(server, 'POST', ':batchCreate', body);
    const answer = this.outcome.count === 0 ? await call() : await withRetry(this.#retryOptions, call);
    const errors = objectsOf(answer['error']);
    for (const [reported, { index, message }] of errors.entries())
      this.#notify(reported, users[Number(index)], message);
    return { rejected: errors.length, existing: 0 };
  }

  async #countExisting(users: readonly FileUser[]): Promise<BatchResult> {
    const localId = users.map((user) => String(user['localId'] ?? '')).filter((uid) => uid !== '');
    const answer = await callAccounts(this.#job.server, 'POST', ':lookup', { localId });
    return { rejected: users.length - localId.length, existing: objectsOf(answer['users']).length };
  }

  #parametersOf(id: string, users: readonly FileUser[]): JsonObject {
    const { sets, parameters } = this.#job;
    const found = sets[id] ?? parameters;
    if (found !== undefined) return found;
    if (users.every((user) => (user['passwordHash'] ?? '') === '' || isFromEmulator(user))) return {};
    throw new CommandFailure(
      id === ''
        ? 'The accounts have password hashes. Specify their algorithm with --hash-algo.'
        : `The hash parameters ${id} are missing. Specify their file with --hash-parameters.`,
    );
  }

  #notify(reported: number, user: FileUser | undefined, message: unknown): void {
    const before = this.outcome.rejected + reported;
    if (before < MAX_REPORTED)
      this.#job.report(`${String(user?.['localId'] ?? 'An account without a user ID')}: ${message}`);
    else if (before === MAX_REPORTED) this.#job.report('… and more.');
  }
}

/**
 * Returns whether an emulator exported the account. Emulators store passwords in plain text, and a server in
 * development mode accepts them.
 */
function isFromEmulator({ passwordHash }: FileUser): boolean {
  return String(passwordHash).startsWith('fakeHash:');
}

type Flags = FlagsOf<typeof USERS_IMPORT_OPTIONS>;

/**
 * Runs `hearth users import`: sends the accounts of a file to a running server. Rejects with a message for
 * the user if the server rejects accounts.
 */
export async function runUsersImport(flags: Flags, file: string): Promise<void> {
  const path = resolve(file);
  readUserFormat(path);
  const source = new SourceFile(path);
  const isDry = readOption(USERS_IMPORT_OPTIONS.dryRun, flags.dryRun);
  const parameters = readHashParameters(flags);
  const sets = readHashParameterSets(flags, path);
  const mayOverwrite = !readOption(USERS_IMPORT_OPTIONS.keepExisting, flags.keepExisting);
  const { outcome, accounts } = await runWithProgress(async ({ signal, stage, onBytes, say }) => {
    stage(isDry ? 'Reading' : 'Importing');
    signal.addEventListener('abort', () =>
      say('Run the same command again to continue; no account is imported twice.'),
    );
    const server = readUsersServer(flags, signal);
    const job = { server, source, parameters, sets, mayOverwrite, isDry, elapsedMs, onBytes, report: say };
    return { outcome: await importUsers(job), accounts: nameOfAccounts(server) };
  });
  process.stdout.write(formatOutcome(outcome, accounts, isDry));
  if (outcome.rejected > 0 && !isDry)
    throw new CommandFailure(`${plural(outcome.rejected, 'account was', 'accounts were')} rejected.`);
}

function formatOutcome(
  { count, rejected, existing, skippedApps }: UserImportOutcome,
  accounts: string,
  isDry: boolean,
): string {
  const apps =
    skippedApps === 0
      ? ''
      : `${plural(skippedApps, 'authenticator app')} cannot be imported. The users must add their apps again.\n`;
  if (isDry)
    return `Dry run on ${accounts}: ${plural(count, 'account')}, of which ${plural(existing, 'exists', 'exist')} and ${plural(rejected, 'has', 'have')} no localId. Nothing was written.\n${apps}`;
  return `Imported ${plural(count - rejected, 'account')} to ${accounts}.\n${apps}`;
}
