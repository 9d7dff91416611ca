import { StartFailure } from '../platform/failures.ts';
import { isLoopback } from '../platform/network-address.ts';
import { type FlagsOf, type OptionSpec, single, switchOption } from '../platform/option.ts';
import { OPTIONS } from '../platform/server-options.ts';

export const BACKUP_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory to copy' },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const RESTORE_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory to restore into; must be empty or new' },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Options of every command that sends requests about a database to a server. */
export const SERVER_OPTIONS = {
  url: {
    flag: '--url <url>',
    environment: 'HEARTH_URL',
    help: 'address of the server; without it, the server of the data directory, or http://127.0.0.1:9000',
    fallback: null,
    isRepeatable: false,
    parse: single((text, name): string | null => parseServerUrl(text, name)),
  },
  data: { ...OPTIONS.data, help: 'data directory of the server, if it runs on this machine' },
  database: {
    flag: '--database <name>',
    environment: 'HEARTH_DATABASE',
    help: 'name of the database; without it, the default database of the project',
    fallback: null,
    isRepeatable: false,
    parse: single(parseDatabase),
  },
  project: { ...OPTIONS.project, help: 'project whose default database to use' },
  token: {
    flag: '--token <token>',
    environment: 'HEARTH_TOKEN',
    help: 'administrator credential; without it, the one in the data directory',
    fallback: null,
    isRepeatable: false,
    parse: single((text): string | null => text),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const DOCTOR_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory to check; with --online, that of the server' },
  json: switchOption('--json', 'print the findings as JSON'),
  online: {
    flag: '--online <url>',
    environment: null,
    help: 'check the running server at this address from outside, instead of a data directory',
    fallback: null,
    isRepeatable: false,
    parse: single((text, name): string | null => parseServerUrl(text, name)),
  },
  project: {
    ...OPTIONS.project,
    help: 'project to check, with --online',
    fallback: null,
    parse: (texts: readonly string[], name: string): string | null => OPTIONS.project.parse(texts, name),
  },
  token: { ...SERVER_OPTIONS.token, help: 'administrator credential, with --online' },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The command-line values of the options that select a server. */
export type ServerFlags = Pick<FlagsOf<typeof SERVER_OPTIONS>, 'url' | 'token' | 'data'>;

export const EXPORT_OPTIONS = {
  ...SERVER_OPTIONS,
  path: {
    flag: '--path <path>',
    environment: null,
    help: 'path in the database',
    fallback: '/',
    isRepeatable: false,
    parse: single((text) => text),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const IMPORT_OPTIONS = {
  ...EXPORT_OPTIONS,
  merge: switchOption('--merge', 'replace only the children that are in the file'),
  deepMerge: switchOption('--deep-merge', 'merge objects at every level, and remove nothing'),
  dryRun: switchOption(
    '--dry-run',
    'change nothing; count the values that the import would add, change and remove',
  ),
  restart: switchOption('--restart', 'discard the data of an earlier attempt'),
  yes: switchOption('--yes', 'do not ask before replacing data'),
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Returns whether the server of this URL runs on this machine. */
export function isLocalServer(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

function parseServerUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new StartFailure(`${name} must be an address such as http://127.0.0.1:9000, not "${text}".`);
  return url.origin;
}

function parseDatabase(text: string, name: string): string | null {
  if (!/^[a-z0-9-]{1,63}$/i.test(text))
    throw new StartFailure(`${name} must be 1 to 63 letters, digits and hyphens, not "${text}".`);
  return text.toLowerCase();
}
