import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { elapsedMs } from '../ops/clock.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { USERS_IMPORT_OPTIONS } from '../ops/users-options.ts';
import { SourceFile } from '../transfer/source-file.ts';
import { readHashFlags } from '../users-cli/hash-flags.ts';
import { type HashParameterSets, readHashParametersFile } from '../users-cli/hash-parameters-file.ts';
import { importUsers, type UserImportOutcome } from '../users-cli/import-users.ts';
import { hashParametersFile, readUserFormat } from '../users-cli/user-format.ts';
import { readUsersServer } from './users-server.ts';
import { watchWork } from './watch-work.ts';

type Flags = FlagsOf<typeof USERS_IMPORT_OPTIONS>;

/** `hearth users import`: sends the accounts of a file to a running server. Rejects with a sentence when some are refused. */
export async function runUsersImport(flags: Flags, file: string): Promise<void> {
  const path = resolve(file);
  readUserFormat(path);
  const source = new SourceFile(path);
  const isDry = readOption(USERS_IMPORT_OPTIONS.dryRun, flags.dryRun);
  const parameters = readParameters(flags);
  const sets = readSets(flags, path);
  const mayOverwrite = !readOption(USERS_IMPORT_OPTIONS.keepExisting, flags.keepExisting);
  const { outcome, project } = await watchWork(async ({ signal, stage, onBytes, say }) => {
    stage(isDry ? 'Reading' : 'Importing');
    signal.addEventListener('abort', () => say('Give the same command again: nothing is imported twice.'));
    const server = readUsersServer(flags, signal);
    const job = { server, source, parameters, sets, mayOverwrite, isDry, elapsedMs, onBytes, report: say };
    return { outcome: await importUsers(job), project: server.project };
  });
  process.stdout.write(formatOutcome(outcome, project, isDry));
  if (outcome.refused > 0 && !isDry)
    throw new CommandFailure(`${outcome.refused.toLocaleString('en')} accounts were refused.`);
}

function readParameters(flags: Flags): ReturnType<typeof readHashFlags> {
  return readHashFlags({
    hashAlgo: readOption(USERS_IMPORT_OPTIONS.hashAlgo, flags.hashAlgo),
    hashKey: readOption(USERS_IMPORT_OPTIONS.hashKey, flags.hashKey),
    saltSeparator: readOption(USERS_IMPORT_OPTIONS.saltSeparator, flags.saltSeparator),
    rounds: readOption(USERS_IMPORT_OPTIONS.rounds, flags.rounds),
    memCost: readOption(USERS_IMPORT_OPTIONS.memCost, flags.memCost),
    parallelization: readOption(USERS_IMPORT_OPTIONS.parallelization, flags.parallelization),
    blockSize: readOption(USERS_IMPORT_OPTIONS.blockSize, flags.blockSize),
    dkLen: readOption(USERS_IMPORT_OPTIONS.dkLen, flags.dkLen),
    hashInputOrder: readOption(USERS_IMPORT_OPTIONS.hashInputOrder, flags.hashInputOrder),
  });
}

function readSets(flags: Flags, path: string): HashParameterSets {
  const named = readOption(USERS_IMPORT_OPTIONS.hashParameters, flags.hashParameters);
  if (named !== null) return readHashParametersFile(resolve(named));
  const beside = hashParametersFile(path);
  return existsSync(beside) ? readHashParametersFile(beside) : {};
}

function formatOutcome(
  { count, refused, known, leftOut }: UserImportOutcome,
  project: string,
  isDry: boolean,
): string {
  const say = (number: number): string => number.toLocaleString('en');
  const apps =
    leftOut === 0 ? '' : `${say(leftOut)} apps for codes cannot be imported: their owners add them again.\n`;
  if (isDry)
    return `Dry run on ${project}: ${say(count)} accounts, of which ${say(known)} exist and ${say(refused)} have no localId. Nothing was written.\n${apps}`;
  return `Imported ${say(count - refused)} accounts to ${project}.\n${apps}`;
}
