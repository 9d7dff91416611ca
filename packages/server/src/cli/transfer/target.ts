import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { findFirebaseProject, projectPresets, resolveProject } from '../../emulator/firebase-json.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type Flag, type FlagsOf, readOption } from '../../platform/option.ts';
import { findServer } from '../find-server.ts';
import { EXPORT_OPTIONS, SERVER_OPTIONS } from '../options.ts';
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
  return { link: findServer(flags), database: readDatabase(flags) };
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
