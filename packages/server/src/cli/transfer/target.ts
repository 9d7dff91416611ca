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

/** A path in a database of a server. */
export interface DataLocation {
  readonly database: string;
  /** `/` or `/a/b`, in readable form: segments are not encoded. */
  readonly path: string;
}

/** Returns the URL path and the query of a data request with these parameters. */
export function dataRequestPath(
  { database, path }: DataLocation,
  parameters: Readonly<Record<string, string>>,
): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const query = new URLSearchParams({ ns: database, ...parameters });
  return `/${segments.map(encodeURIComponent).join('/')}.json?${query}`;
}

/**
 * The default credential for local servers. A development server on this machine accepts any credential as an
 * administrator's; clients use `owner` by convention.
 */
const LOCAL_TOKEN = 'owner';

/**
 * Returns the server and the path that the options of `export` and `import` name. Throws a `StartFailure` if
 * an option is invalid.
 */
export function readTransferTarget(flags: FlagsOf<typeof EXPORT_OPTIONS>): {
  readonly link: ServerLink;
  readonly location: DataLocation;
} {
  const { link, database } = readServerTarget(flags);
  return { link, location: { database, path: readPath(readOption(EXPORT_OPTIONS.path, flags.path)) } };
}

/**
 * Returns the server and the database that the options of a command name. Throws a `StartFailure` if an
 * option is invalid.
 */
export function readServerTarget(flags: FlagsOf<typeof SERVER_OPTIONS>): {
  readonly link: ServerLink;
  readonly database: string;
} {
  const url = readOption(SERVER_OPTIONS.url, flags.url);
  const token = readOption(SERVER_OPTIONS.token, flags.token);
  return { link: readLink(url, token), database: readDatabase(flags) };
}

/**
 * Returns the link to the server at an address, with the given credential. Without a credential, uses the
 * access information that a server stores in the default data directory. Throws a `StartFailure` if a server
 * on another machine has no credential.
 */
export function readLink(url: string, token: string | null): ServerLink {
  const access = token === null ? findLocalAccess(resolve(readOption(OPTIONS.data, undefined))) : undefined;
  if (access?.url === url) return access;
  if (token === null && !isLocalServer(url))
    throw new StartFailure(
      `${url} is not on this machine. Specify an administrator credential with --token.`,
    );
  return { url, token: token ?? LOCAL_TOKEN };
}

/**
 * Returns the name of the database that the options specify. The default is the default database of the
 * project. Throws a `StartFailure` if an option is invalid.
 */
export function readDatabase(flags: FlagsOf<typeof SERVER_OPTIONS>): string {
  return (
    readOption(SERVER_OPTIONS.database, flags.database) ?? `${readProjectId(flags.project)}-default-rtdb`
  );
}

/**
 * Returns the id of the project that the option names. The default is the Firebase project of the working
 * directory. Throws a `StartFailure` if the option or the project is invalid.
 */
export function readProjectId(flag: Flag | undefined): string {
  const project = findFirebaseProject(process.cwd());
  const preset = project === undefined ? undefined : projectPresets(project).project;
  const nameOrAlias = readOption(SERVER_OPTIONS.project, flag, undefined, preset);
  return project === undefined ? nameOrAlias : resolveProject(project, nameOrAlias);
}

function readPath(text: string): string {
  try {
    return `/${formatPath(parsePath(text))}`;
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    throw new StartFailure(
      `--path must be a path such as /rooms/lobby, not "${text}": ${cause.message}`,
      cause,
    );
  }
}
