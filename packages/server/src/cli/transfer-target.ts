import { resolve } from 'node:path';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { EXPORT_OPTIONS, isLocalServer, SERVER_OPTIONS } from '../ops/command-options.ts';
import { findLocalAccess } from '../ops/local-access.ts';
import { type Flag, type FlagsOf, readOption } from '../ops/option.ts';
import { OPTIONS } from '../ops/options.ts';
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
  const { link, database } = readServerTarget(flags);
  return { link, place: { database, path: readPath(readOption(EXPORT_OPTIONS.path, flags.path)) } };
}

/** The server and the database that the options of a command name. Throws a `StartFailure`. */
export function readServerTarget(flags: FlagsOf<typeof SERVER_OPTIONS>): {
  readonly link: ServerLink;
  readonly database: string;
} {
  const url = readOption(SERVER_OPTIONS.url, flags.url);
  const token = readOption(SERVER_OPTIONS.token, flags.token);
  return { link: readLink(url, token), database: readDatabase(flags) };
}

/**
 * The server at an address, with the credential that was given for it; without one, a server of the usual data directory tells
 * there how it is reached. Throws a `StartFailure`.
 */
export function readLink(url: string, token: string | null): ServerLink {
  const access = token === null ? findLocalAccess(resolve(readOption(OPTIONS.data, undefined))) : undefined;
  if (access?.url === url) return access;
  if (token === null && !isLocalServer(url))
    throw new StartFailure(
      `${url} is not on this machine: give the credential of an administrator with --token.`,
    );
  return { url, token: token ?? LOCAL_TOKEN };
}

/** The name of the database that is meant. Throws a `StartFailure`. */
export function readDatabase(flags: FlagsOf<typeof SERVER_OPTIONS>): string {
  return (
    readOption(SERVER_OPTIONS.database, flags.database) ?? `${readProjectId(flags.project)}-default-rtdb`
  );
}

/** The project that an option names, or else the place where the command is given. Throws a `StartFailure`. */
export function readProjectId(flag: Flag | undefined): string {
  const project = findFirebaseProject(process.cwd());
  const preset = project === undefined ? undefined : projectPresets(project).project;
  const word = readOption(SERVER_OPTIONS.project, flag, undefined, preset);
  return project === undefined ? word : resolveProject(project, word);
}

function readPath(text: string): string {
  try {
    return `/${formatPath(parsePath(text))}`;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    throw new StartFailure(`--path must be such as /rooms/lobby, not "${text}": ${cause.message}`, cause);
  }
}
