import { resolve } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { findFirebaseProject, projectPresets, resolveProject } from '../../emulator/firebase-json.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type Flag, type FlagsOf, readOption } from '../../platform/option.ts';
import { OPTIONS } from '../../platform/server-options.ts';
import { findLocalAccess } from '../local-access.ts';
import { EXPORT_OPTIONS, isLocalServer, SERVER_OPTIONS } from '../options.ts';
import type { ServerLink } from './server-link.ts';

/** A place in a database of a server. */
export interface DataLocation {
  readonly database: string;
  /** `/` or `/a/b`, as people write it: segments are not encoded. */
  readonly path: string;
}

/** The address of a place, for a request with these parameters. */
export function dataAddress(
  { database, path }: DataLocation,
  parameters: Readonly<Record<string, string>>,
): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const query = new URLSearchParams({ ns: database, ...parameters });
  return `/${segments.map(encodeURIComponent).join('/')}.json?${query}`;
}

/** Development servers on this machine take any credential for an administrator's; this is the customary one. */
const LOCAL_TOKEN = 'owner';

/** The server and the place that the options of `export` and `import` name. Throws a `StartFailure`. */
export function readTransferTarget(flags: FlagsOf<typeof EXPORT_OPTIONS>): {
  readonly link: ServerLink;
  readonly place: DataLocation;
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
    throw new StartFailure(`${url} is not on this machine. Give an administrator credential with --token.`);
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
    if (!(cause instanceof RequestError)) throw cause;
    throw new StartFailure(`--path must be such as /rooms/lobby, not "${text}": ${cause.message}`, cause);
  }
}
