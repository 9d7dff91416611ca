import type { SERVER_OPTIONS } from '../ops/command-options.ts';
import type { FlagsOf } from '../ops/option.ts';
import type { DatabaseServer } from '../rules-cli/database-server.ts';
import { readRulesSource, type SourceText } from '../rules-cli/rules-source.ts';
import { abortOnSignal } from './interruption.ts';
import { readDatabase, readProjectId, readServerTarget } from './transfer-target.ts';

/** The database that the options of a command name. Requests to it are aborted at a request to stop. */
export function readDatabaseServer(flags: FlagsOf<typeof SERVER_OPTIONS>): DatabaseServer {
  return { ...readServerTarget(flags), signal: abortOnSignal() };
}

/** The file of rules that is named, else the one of the project that is for the database. Throws a `StartFailure`. */
export function readRulesFor(flags: FlagsOf<typeof SERVER_OPTIONS>, file: string | undefined): SourceText {
  return readRulesSource(file, {
    projectId: readProjectId(flags.project),
    database: readDatabase(flags),
    from: process.cwd(),
  });
}
