import { StartFailure } from './failures.ts';
import { LOG_LEVELS, type LogLevel } from './logger.ts';
import { isLoopback } from './network-address.ts';
import {
  type Environment,
  type FlagsOf,
  type OptionSpec,
  parseDirectoryName,
  parseInteger,
  parseProject,
  readOption,
  single,
  type ValuesOf,
} from './option.ts';
import { readMaxHeapBytes } from './process.ts';

const MIB = 1_048_576;

/** The limit exists because a JavaScript string cannot be longer than about 512 Mi characters. */
const MAX_BODY_BYTES = 500 * MIB;
const MAX_BYTES = 2 ** 40;

/** With less, one client with a few thousand listens would use up the share of its network. */
const MIN_MEMORY_MIB = 128;

/** All options of the server, each declared once. */
export const OPTIONS = {
  port: {
    flag: '--port <number>',
    environment: 'HEARTH_PORT',
    help: 'port to listen on; 0 lets the system choose',
    fallback: 9000,
    isRepeatable: false,
    parse: single((text, name) => parseInteger(text, name, 0, 65_535)),
  },
  host: {
    flag: '--host <address>',
    environment: 'HEARTH_HOST',
    help: 'address to listen on; development mode listens on this machine only',
    fallback: '127.0.0.1',
    isRepeatable: false,
    parse: single(parseLoopback),
  },
  data: {
    flag: '--data <directory>',
    environment: 'HEARTH_DATA',
    help: 'directory that holds everything; created if missing',
    fallback: '.hearth',
    isRepeatable: false,
    parse: single(parseDirectoryName),
  },
  keyFile: {
    flag: '--key-file <file>',
    environment: 'HEARTH_KEY_FILE',
    help: 'file with the secret key, created if missing; without it, secret.key in the data directory',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text, name): string | null => parseDirectoryName(text, name)),
  },
  project: {
    flag: '--project <id>',
    environment: 'HEARTH_PROJECT',
    help: 'project that every API key selects',
    fallback: 'demo',
    isRepeatable: false,
    parse: single(parseProject),
  },
  allowHost: {
    flag: '--allow-host <name>',
    environment: 'HEARTH_ALLOW_HOST',
    help: 'additional host name to answer to; may be repeated',
    fallback: noNames(),
    isRepeatable: true,
    parse: (texts, name): readonly string[] => texts.map((text) => parseHostName(text, name)),
  },
  maxBacklogBytes: {
    flag: '--max-backlog-bytes <bytes>',
    environment: 'HEARTH_MAX_BACKLOG_BYTES',
    help: 'unread data at which a slow connection is closed',
    fallback: 16 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseInteger(text, name, 65_536, MAX_BYTES)),
  },
  maxMessageBytes: {
    flag: '--max-message-bytes <bytes>',
    environment: 'HEARTH_MAX_MESSAGE_BYTES',
    help: 'largest message of a WebSocket client',
    fallback: 16 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseInteger(text, name, 16_384, MAX_BODY_BYTES)),
  },
  maxBodyBytes: {
    flag: '--max-body-bytes <bytes>',
    environment: 'HEARTH_MAX_BODY_BYTES',
    help: 'largest body of an HTTP request; never more than a quarter of the memory',
    fallback: 256 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseInteger(text, name, 1_024, MAX_BODY_BYTES)),
  },
  memory: {
    flag: '--memory <MiB>',
    environment: 'HEARTH_MEMORY',
    help: 'memory for clients, of which each kind of work gets a share; without it, what the machine or container allows',
    fallback: noNumber(),
    isRepeatable: false,
    parse: single(parseMemory),
  },
  logLevel: {
    flag: '--log-level <level>',
    environment: 'HEARTH_LOG_LEVEL',
    help: `what to log to standard error: ${LOG_LEVELS.join(', ')}`,
    fallback: defaultLogLevel(),
    isRepeatable: false,
    parse: single(parseLogLevel),
  },
  functionsEmulator: {
    flag: '--functions-emulator <host:port>',
    environment: 'FUNCTIONS_EMULATOR_HOST',
    help: 'functions emulator to notify of writes that trigger its functions',
    fallback: nothing(),
    isRepeatable: false,
    parse: single(parseAddress),
  },
  import: {
    flag: '--import <directory>',
    environment: 'HEARTH_IMPORT',
    help: 'emulator suite export to start with; replaces the databases and accounts that it contains',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text, name): string | null => parseDirectoryName(text, name)),
  },
  exportOnExit: {
    flag: '--export-on-exit [directory]',
    environment: 'HEARTH_EXPORT_ON_EXIT',
    help: 'directory to write an emulator suite export to on exit; without a value, the --import directory',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text): string | null => text),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The values of all options. Sizes are in bytes. */
export type Options = ValuesOf<typeof OPTIONS>;

/** The options that the server needs in every mode. */
export type AppOptions = Pick<
  Options,
  'port' | 'host' | 'data' | 'keyFile' | 'maxBacklogBytes' | 'maxMessageBytes' | 'maxBodyBytes' | 'memory'
>;

/** The command-line values of the options. */
export type Flags = FlagsOf<typeof OPTIONS>;

/** Values of some options from the project in the directory where the server is started. */
export type Presets = { readonly [Name in 'port' | 'host' | 'project']?: Options[Name] | undefined };

/**
 * Returns each value from the command line, or else from the environment, or else from `presets`, or else the
 * default. Throws a `StartFailure` for an invalid value.
 */
export function readOptions(
  flags: Flags,
  environment: Environment = process.env,
  presets: Presets = {},
): Options {
  return {
    port: readOption(OPTIONS.port, flags.port, environment, presets.port),
    host: readOption(OPTIONS.host, flags.host, environment, presets.host),
    data: readOption(OPTIONS.data, flags.data, environment),
    keyFile: readOption(OPTIONS.keyFile, flags.keyFile, environment),
    project: readOption(OPTIONS.project, flags.project, environment, presets.project),
    allowHost: readOption(OPTIONS.allowHost, flags.allowHost, environment),
    maxBacklogBytes: readOption(OPTIONS.maxBacklogBytes, flags.maxBacklogBytes, environment),
    maxMessageBytes: readOption(OPTIONS.maxMessageBytes, flags.maxMessageBytes, environment),
    maxBodyBytes: readOption(OPTIONS.maxBodyBytes, flags.maxBodyBytes, environment),
    memory: readOption(OPTIONS.memory, flags.memory, environment),
    logLevel: readOption(OPTIONS.logLevel, flags.logLevel, environment),
    functionsEmulator: readOption(OPTIONS.functionsEmulator, flags.functionsEmulator, environment),
    import: readOption(OPTIONS.import, flags.import, environment),
    exportOnExit: readOption(OPTIONS.exportOnExit, flags.exportOnExit, environment),
  };
}

function parseLoopback(text: string, name: string): string {
  if (!isLoopback(text))
    throw new StartFailure(
      `${name} must be an address of this machine only (127.0.0.1, ::1 or localhost), not "${text}": in development mode, every client that can connect is an administrator.`,
    );
  // The name may resolve to two addresses, and each would need its own listener.
  return text.toLowerCase() === 'localhost' ? '127.0.0.1' : text;
}

/** Parses a number of MiB. Returns bytes. */
function parseMemory(text: string, name: string): number | null {
  const bytes = MIB * parseInteger(text, name, MIN_MEMORY_MIB, MAX_BYTES / MIB);
  const maxMib = Math.floor(readMaxHeapBytes() / MIB);
  if (bytes > maxMib * MIB)
    throw new StartFailure(
      `${name} must be at most ${maxMib}, which is what Node allows its heap, not "${text}". To raise that, set NODE_OPTIONS=--max-old-space-size=${text}.`,
    );
  return bytes;
}

function parseHostName(text: string, name: string): string {
  const host = text.trim().toLowerCase();
  if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(host))
    throw new StartFailure(`${name} must be a host name or an IPv4 address without a port, not "${text}".`);
  return host;
}

function parseAddress(text: string, name: string): string | null {
  if (
    !/^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}$/.test(text) ||
    !URL.canParse(`http://${text}`)
  )
    throw new StartFailure(`${name} must be a host and a port, such as 127.0.0.1:5001, not "${text}".`);
  return text;
}

function parseLogLevel(text: string, name: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new StartFailure(`${name} must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
  return level;
}

// The next three functions give the default of an option a wider type than its literal has.
function nothing(): string | null {
  return null;
}

function noNumber(): number | null {
  return null;
}

function noNames(): readonly string[] {
  return [];
}

function defaultLogLevel(): LogLevel {
  return 'info';
}
