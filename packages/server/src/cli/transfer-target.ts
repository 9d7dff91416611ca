import { Refusal } from '@hearth/core/fault/refusal.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { EXPORT_OPTIONS, isLocalServer } from '../ops/command-options.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { findFirebaseProject } from '../project/firebase-project.ts';
import { projectPresets, resolveProject } from '../project/project-presets.ts';
import type { DataPlace } from '../transfer/data-address.ts';
import type { ServerLink } from '../transfer/server-link.ts';

/** Development servers on this machine take any credential for an administrator's; this is the customary one. */
const LOCAL_TOKEN = 'owner';

/** The server and the place that the options of `export` and `import` name. Throws a `StartFailure`. */
export function readTransferTarget(flags: FlagsOf<typeof EXPORT_OPTIONS>): {
  readonly link: ServerLink;
  readonly place: DataPlace;
} {
  const url = readOption(EXPORT_OPTIONS.url, flags.url);
  const token = readOption(EXPORT_OPTIONS.token, flags.token);
  if (token === null && !isLocalServer(url))
    throw new StartFailure(
      `${url} is not on this machine: give the credential of an administrator with --token.`,
    );
  return {
    link: { url, token: token ?? LOCAL_TOKEN },
    place: { database: readDatabase(flags), path: readPath(readOption(EXPORT_OPTIONS.path, flags.path)) },
  };
}

function readDatabase(flags: FlagsOf<typeof EXPORT_OPTIONS>): string {
  const database = readOption(EXPORT_OPTIONS.database, flags.database);
  if (database !== null) return database;
  const project = findFirebaseProject(process.cwd());
  const preset = project === undefined ? undefined : projectPresets(project).project;
  const word = readOption(EXPORT_OPTIONS.project, flags.project, undefined, preset);
  return `${project === undefined ? word : resolveProject(project, word)}-default-rtdb`;
}

function readPath(text: string): string {
  try {
    return `/${formatPath(parsePath(text))}`;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    throw new StartFailure(`--path must be such as /rooms/lobby, not "${text}": ${cause.message}`, cause);
  }
}
