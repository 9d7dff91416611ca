import { resolve } from 'node:path';
import { StartFailure } from '../platform/failures.ts';
import { readOption } from '../platform/option.ts';
import { programName } from '../platform/process.ts';
import { findLocalAccess, type LocalAccess, localAccessPath } from './local-access.ts';
import { isLocalServer, SERVER_OPTIONS, type ServerFlags } from './options.ts';
import type { ServerLink } from './transfer/server-link.ts';

/** The address of the server if neither an option nor a data directory names one. */
const DEFAULT_URL = 'http://127.0.0.1:9000';

/**
 * The default credential for local servers. A development server on this machine accepts any credential as an
 * administrator's; clients use `owner` by convention.
 */
export const LOCAL_TOKEN = 'owner';

/**
 * Returns the server that the options of a command name, and a credential for it. Without `--token`, uses the
 * credential that the server of the data directory has left there, or that of a development server at the default
 * address. Throws a `StartFailure` if a server on another machine has no credential.
 */
export function findServer(flags: ServerFlags): ServerLink {
  const known = findKnownServer(flags);
  if (known !== undefined) return known;
  const searched = describeSearch(readDirectory(flags), undefined);
  return { url: DEFAULT_URL, token: readOption(SERVER_OPTIONS.token, flags.token) ?? LOCAL_TOKEN, searched };
}

/** Like `findServer`, but throws a `StartFailure` if neither an option nor a data directory names a server. */
export function requireServer(flags: ServerFlags): ServerLink {
  const known = findKnownServer(flags);
  if (known !== undefined) return known;
  const directory = readDirectory(flags);
  throw new StartFailure(
    `No server uses the data directory ${directory}: ${localAccessPath(directory)} does not exist. Start one with "${programName()} serve --data ${directory}", or name another directory with --data.`,
  );
}

/** Returns the server at an address with a credential that an option or the data directory has for it, or `null`. */
export function findCredential(url: string, flags: ServerFlags): ServerLink | null {
  const token = readOption(SERVER_OPTIONS.token, flags.token);
  const access = findLocalAccess(readDirectory(flags));
  if (access !== undefined && (url === access.url || url === access.publicUrl))
    return { ...access, token: token ?? access.token };
  return token === null ? null : { url, token };
}

function findKnownServer(flags: ServerFlags): ServerLink | undefined {
  const url = readOption(SERVER_OPTIONS.url, flags.url);
  const token = readOption(SERVER_OPTIONS.token, flags.token);
  if (token !== null && url !== null) return { url, token };
  const directory = readDirectory(flags);
  const access = findLocalAccess(directory);
  const searched = describeSearch(directory, access);
  if (access !== undefined && (url === null || url === access.url || url === access.publicUrl))
    return { ...access, token: token ?? access.token, searched };
  if (url === null) return undefined;
  if (!isLocalServer(url))
    throw new StartFailure(
      `A credential for ${url} is missing. ${searched} Give an administrator credential with --token, or name the server's data directory with --data.`,
    );
  return { url, token: LOCAL_TOKEN, searched };
}

function readDirectory(flags: ServerFlags): string {
  return resolve(readOption(SERVER_OPTIONS.data, flags.data));
}

/** Returns a sentence about the places where a command looked for a server and its credential, and the results. */
function describeSearch(directory: string, access: LocalAccess | undefined): string {
  const path = localAccessPath(directory);
  return access === undefined
    ? `Looked for a server in ${path}, which does not exist.`
    : `Looked for a server in ${path}, which names ${access.url}.`;
}
