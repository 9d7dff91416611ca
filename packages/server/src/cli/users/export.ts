import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type FileUser, objectsOf, toFile } from '@hearth/core/api/account-file.ts';
import type { JsonObject } from '../../auth/fields.ts';
import { elapsedMs } from '../../platform/clock.ts';
import { StartFailure } from '../../platform/failures.ts';
import type { FlagsOf } from '../../platform/option.ts';
import { runWithProgress } from '../progress.ts';
import { plural } from '../rules/terminal.ts';
import {
  type AccountsServer,
  callAccounts,
  hashParametersFile,
  nameOfAccounts,
  type RetryOptions,
  readUserFormat,
  readUsersServer,
  withRetry,
} from './accounts-client.ts';
import { encodeCsvUser } from './csv.ts';
import type { USERS_OPTIONS } from './options.ts';

export interface UserExport {
  readonly server: AccountsServer;
  readonly file: string;
  readonly elapsedMs: () => number;
  /** Called with the number of bytes written, before compression. */
  readonly onBytes: (doneBytes: number) => void;
  readonly report: (sentence: string) => void;
}

export interface UserExportOutcome {
  readonly count: number;
  /** The file of hash parameters; `null` if no account has a hash. */
  readonly parametersFile: string | null;
}

const PAGE = 1_000;

/**
 * Writes all accounts of a project to a file, and their hash parameters to a second file next to it. Only the
 * owner can read the files. The account file gets its name after all data is on disk.
 */
export async function exportUsers(job: UserExport): Promise<UserExportOutcome> {
  const path = resolve(job.file);
  const pages = new AccountPages(job);
  const text = readUserFormat(path) === 'json' ? jsonText(pages.read()) : csvText(pages.read());
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new StartFailure(`${path} is a directory. Specify a file in it.`);
  const part = `${path}.part`;
  try {
    const file = createWriteStream(part, { mode: 0o600, flush: true });
    await once(file, 'open');
    const source = Readable.from(text, { objectMode: false });
    const { signal } = job.server;
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file, { signal });
    else await pipeline(source, file, { signal });
    const parametersFile = writeParameters(path, pages.parameters);
    renameSync(part, path);
    return { count: pages.count, parametersFile };
  } catch (cause) {
    rmSync(part, { force: true });
    throw cause;
  }
}

/** Reads the accounts of a project page by page, and collects their number and their hash parameters. */
class AccountPages {
  readonly #job: UserExport;
  readonly #retryOptions: RetryOptions;
  #bytes = 0;
  count = 0;
  /** Hash parameters by name. */
  parameters: JsonObject = {};

  constructor(job: UserExport) {
    this.#job = job;
    const { server, elapsedMs, report } = job;
    this.#retryOptions = { signal: server.signal, elapsedMs, report };
  }

  async *read(): AsyncGenerator<FileUser> {
    for (let token = ''; ; ) {
      const page = token === '' ? '' : `&nextPageToken=${encodeURIComponent(token)}`;
      const call = (): ReturnType<typeof callAccounts> =>
        callAccounts(this.#job.server, 'GET', `:batchGet?maxResults=${PAGE}${page}`);
      const answer = this.count === 0 ? await call() : await withRetry(this.#retryOptions, call);
      const users = objectsOf(answer['users']).map(toFile);
      this.parameters = { ...this.parameters, ...Object(answer['hashParameters']) };
      this.count += users.length;
      yield* users;
      this.#bytes += JSON.stringify(users).length;
      this.#job.onBytes(this.#bytes);
      token = String(answer['nextPageToken'] ?? '');
      if (token === '') return;
    }
  }
}

async function* jsonText(users: AsyncIterable<FileUser>): AsyncGenerator<string> {
  let separator = '{"users": [\n';
  for await (const user of users) {
    yield `${separator}${JSON.stringify(user)}`;
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : '{"users": []}\n';
}

async function* csvText(users: AsyncIterable<FileUser>): AsyncGenerator<string> {
  for await (const user of users) yield encodeCsvUser(user);
}

/**
 * Writes the hash parameters to a new file. An existing file is deleted first, because its permissions might
 * let other users read it.
 */
function writeParameters(path: string, parameters: JsonObject): string | null {
  const file = hashParametersFile(path);
  rmSync(file, { force: true });
  if (Object.keys(parameters).length === 0) return null;
  writeFileSync(file, `${JSON.stringify(parameters, null, 2)}\n`, { mode: 0o600 });
  return file;
}

/**
 * Runs `hearth users export`: writes the accounts of a project on a running server to a file. Rejects with a
 * message for the user if the export fails.
 */
export async function runUsersExport(flags: FlagsOf<typeof USERS_OPTIONS>, file: string): Promise<void> {
  readUserFormat(file);
  const { outcome, accounts } = await runWithProgress(async ({ signal, stage, onBytes, say }) => {
    stage('Exporting');
    const server = readUsersServer(flags, signal);
    const job = {
      server,
      file,
      elapsedMs,
      onBytes: (done: number) => onBytes(done, undefined),
      report: say,
    };
    return { outcome: await exportUsers(job), accounts: nameOfAccounts(server) };
  });
  const parametersText =
    outcome.parametersFile === null
      ? ''
      : `, and the parameters of their password hashes to ${outcome.parametersFile}`;
  process.stdout.write(
    `Exported ${plural(outcome.count, 'account')} of ${accounts} to ${resolve(file)}${parametersText}.\n`,
  );
}
