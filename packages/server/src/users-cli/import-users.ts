import { CommandFailure } from '../ops/command-failure.ts';
import type { SourceFile } from '../transfer/source-file.ts';
import { decodeCsvUser } from './csv-user.ts';
import { countAppFactors, type FileUser, toRequest } from './file-user.ts';
import type { HashParameterSets } from './hash-parameters-file.ts';
import { callAccounts, type IdentityLink } from './identity-link.ts';
import { type JsonObject, objectsOf, printJson } from './json-object.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonUsers } from './read-json-users.ts';
import { readUserFormat } from './user-format.ts';
import { type Patience, withPatience } from './with-patience.ts';

export interface UserImport {
  readonly server: IdentityLink;
  readonly source: SourceFile;
  /** How the hashes of accounts were made that name no parameters; `undefined` when nobody said. */
  readonly parameters: JsonObject | undefined;
  readonly sets: HashParameterSets;
  readonly mayOverwrite: boolean;
  /** Look only, and change nothing. */
  readonly isDry: boolean;
  readonly elapsedMs: () => number;
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  readonly report: (sentence: string) => void;
}

/** What came of an import. */
export interface UserImportOutcome {
  readonly count: number;
  readonly refused: number;
  /** Accounts of a dry run that are there already. */
  readonly known: number;
  /** Apps for codes that no file can bring. */
  readonly leftOut: number;
}

/** Accounts in one request, and the most that a server takes. */
const BATCH = 1_000;
/** Of the JSON of one request, in UTF-16 units; a server takes some more. */
const MAX_BATCH_LENGTH = 4_000_000;
/** Refusals that are told one by one. */
const MAX_TOLD = 100;

/** Sends the accounts of a file to a server. What is sent twice is there once, so the same file may be sent again. */
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

async function* readUsers(source: SourceFile): AsyncGenerator<FileUser> {
  const chunks = source.read(0);
  if (readUserFormat(source.path) === 'json') yield* readJsonUsers(chunks);
  else for await (const row of readCsvRows(chunks)) yield decodeCsvUser(row);
}

/** What came of one request. */
type Done = Pick<UserImportOutcome, 'refused' | 'known'>;

/** Sends accounts, a request for those of each set of parameters, and adds up what came of it. */
class ImportProgress {
  readonly #job: UserImport;
  readonly #patience: Patience;
  outcome: UserImportOutcome = { count: 0, refused: 0, known: 0, leftOut: 0 };

  constructor(job: UserImport) {
    this.#job = job;
    const { server, elapsedMs, report } = job;
    this.#patience = { signal: server.signal, elapsedMs, report };
  }

  async send(users: readonly FileUser[]): Promise<void> {
    const { source, onBytes, isDry } = this.#job;
    // Somewhere there is a first request, and a server that is not there then is not waited for.
    for (const [id, group] of Map.groupBy(users, (user) => String(user['hashParametersId'] ?? ''))) {
      const done = isDry ? await this.#look(group) : await this.#import(id, group);
      const { count, refused, known, leftOut } = this.outcome;
      this.outcome = {
        count: count + group.length,
        refused: refused + done.refused,
        known: known + done.known,
        leftOut: leftOut + group.reduce((sum, user) => sum + countAppFactors(user), 0),
      };
    }
    onBytes(source.readBytes, source.sizeBytes);
  }

  async #import(id: string, users: readonly FileUser[]): Promise<Done> {
    const { server, mayOverwrite } = this.#job;
    const body = {
      ...this.#parametersOf(id, users),
      users: users.map(toRequest),
      allowOverwrite: mayOverwrite,
    };
    const call = (): ReturnType<typeof callAccounts> => callAccounts(server, 'POST', ':batchCreate', body);
    const answer = this.outcome.count === 0 ? await call() : await withPatience(this.#patience, call);
    const errors = objectsOf(answer['error']);
    for (const [told, { index, message }] of errors.entries())
      this.#tell(told, users[Number(index)], message);
    return { refused: errors.length, known: 0 };
  }

  async #look(users: readonly FileUser[]): Promise<Done> {
    const localId = users.map((user) => String(user['localId'] ?? '')).filter((uid) => uid !== '');
    const answer = await callAccounts(this.#job.server, 'POST', ':lookup', { localId });
    return { refused: users.length - localId.length, known: objectsOf(answer['users']).length };
  }

  #parametersOf(id: string, users: readonly FileUser[]): JsonObject {
    const { sets, parameters } = this.#job;
    const found = sets[id] ?? parameters;
    if (found !== undefined) return found;
    if (users.every((user) => (user['passwordHash'] ?? '') === '' || isFromEmulator(user))) return {};
    throw new CommandFailure(
      id === ''
        ? 'The accounts have password hashes: say with --hash-algo how they were made.'
        : `The hash parameters ${id} are missing: give the file of them with --hash-parameters.`,
    );
  }

  #tell(told: number, user: FileUser | undefined, message: unknown): void {
    const before = this.outcome.refused + told;
    if (before < MAX_TOLD)
      this.#job.report(`${String(user?.['localId'] ?? 'An account without a name')}: ${message}`);
    else if (before === MAX_TOLD) this.#job.report('… and more.');
  }
}

/** Emulators write passwords down as they are; a server in development mode takes them. */
function isFromEmulator({ passwordHash }: FileUser): boolean {
  return String(passwordHash).startsWith('fakeHash:');
}
