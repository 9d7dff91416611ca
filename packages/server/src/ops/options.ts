import { LOG_LEVELS, type LogLevel } from './logger.ts';
import { StartFailure } from './start-failure.ts';

/** One setting: how it is named on the command line and in the environment, and how its text is read. */
interface OptionSpec<T> {
  /** As shown in the help, for example `--port <number>`. */
  readonly flag: string;
  readonly environment: string;
  readonly help: string;
  readonly fallback: T;
  /** May be given several times; in the environment, separated by commas. */
  readonly isRepeatable: boolean;
  /** `name` is what the user wrote, for messages. Throws a `StartFailure`. */
  readonly parse: (texts: readonly string[], name: string) => T;
}

const MIB = 1_048_576;

/** A JavaScript string cannot be longer than about 512 Mi characters. */
const MAX_BODY_BYTES = 500 * MIB;
const MAX_BYTES = 2 ** 40;

/** Every option of the server, declared once. */
export const OPTIONS = {
  port: {
    flag: '--port <number>',
    environment: 'HEARTH_PORT',
    help: 'port to listen on; 0 lets the system choose',
    fallback: 9000,
    isRepeatable: false,
    parse: single((text, name) => parseWhole(text, name, 0, 65_535)),
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
    parse: single(parseNonEmpty),
  },
  project: {
    flag: '--project <id>',
    environment: 'HEARTH_PROJECT',
    help: 'project that any API key stands for',
    fallback: 'demo',
    isRepeatable: false,
    parse: single(parseProject),
  },
  allowHost: {
    flag: '--allow-host <name>',
    environment: 'HEARTH_ALLOW_HOST',
    help: 'another host name to answer to; may be repeated',
    fallback: noNames(),
    isRepeatable: true,
    parse: (texts, name): readonly string[] => texts.map((text) => parseHostName(text, name)),
  },
  maxBacklogBytes: {
    flag: '--max-backlog-bytes <bytes>',
    environment: 'HEARTH_MAX_BACKLOG_BYTES',
    help: 'unread data at which a connection that does not keep up is closed',
    fallback: 16 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseWhole(text, name, 65_536, MAX_BYTES)),
  },
  maxMessageBytes: {
    flag: '--max-message-bytes <bytes>',
    environment: 'HEARTH_MAX_MESSAGE_BYTES',
    help: 'largest message of a WebSocket client',
    fallback: 16 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseWhole(text, name, 16_384, MAX_BODY_BYTES)),
  },
  maxBodyBytes: {
    flag: '--max-body-bytes <bytes>',
    environment: 'HEARTH_MAX_BODY_BYTES',
    help: 'largest body of an HTTP request',
    fallback: 256 * MIB,
    isRepeatable: false,
    parse: single((text, name) => parseWhole(text, name, 1_024, MAX_BODY_BYTES)),
  },
  logLevel: {
    flag: '--log-level <level>',
    environment: 'HEARTH_LOG_LEVEL',
    help: `what to log to standard error: ${LOG_LEVELS.join(', ')}`,
    fallback: defaultLogLevel(),
    isRepeatable: false,
    parse: single(parseLogLevel),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

type OptionName = keyof typeof OPTIONS;

/** All options with their values. Sizes are bytes. */
export type Options = { readonly [Name in OptionName]: ReturnType<(typeof OPTIONS)[Name]['parse']> };

/** The text of each option that the command line gives; several texts for one that may be repeated. */
export type Flags = { readonly [Name in OptionName]?: string | readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** The command line's word, else the environment's, else the default. Throws a `StartFailure` on a bad value. */
export function readOptions(flags: Flags, environment: Environment = process.env): Options {
  return {
    port: readOption(OPTIONS.port, flags.port, environment),
    host: readOption(OPTIONS.host, flags.host, environment),
    data: readOption(OPTIONS.data, flags.data, environment),
    project: readOption(OPTIONS.project, flags.project, environment),
    allowHost: readOption(OPTIONS.allowHost, flags.allowHost, environment),
    maxBacklogBytes: readOption(OPTIONS.maxBacklogBytes, flags.maxBacklogBytes, environment),
    maxMessageBytes: readOption(OPTIONS.maxMessageBytes, flags.maxMessageBytes, environment),
    maxBodyBytes: readOption(OPTIONS.maxBodyBytes, flags.maxBodyBytes, environment),
    logLevel: readOption(OPTIONS.logLevel, flags.logLevel, environment),
  };
}

function readOption<T>(
  spec: OptionSpec<T>,
  given: string | readonly string[] | undefined,
  environment: Environment,
): T {
  if (given !== undefined) {
    const name = spec.flag.split(' ', 1).join('');
    return spec.parse(typeof given === 'string' ? [given] : given, name);
  }
  const text = environment[spec.environment];
  if (text === undefined || text === '') return spec.fallback;
  return spec.parse(spec.isRepeatable ? text.split(',') : [text], spec.environment);
}

/** Of an option that is given more than once the last word counts. */
function single<T>(parse: (text: string, name: string) => T): OptionSpec<T>['parse'] {
  return (texts, name) => parse(texts.at(-1) ?? '', name);
}

function parseWhole(text: string, name: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text) || value < least || value > most)
    throw new StartFailure(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

const LOOPBACK = /^(?:127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}|::1|localhost)$/;

function parseLoopback(text: string, name: string): string {
  if (!LOOPBACK.test(text))
    throw new StartFailure(
      `${name} must be an address of this machine only (127.0.0.1, ::1 or localhost), not "${text}": in development mode everybody who can connect is an administrator.`,
    );
  // The name may stand for two addresses, of which each would need a server.
  return text === 'localhost' ? '127.0.0.1' : text;
}

function parseNonEmpty(text: string, name: string): string {
  if (text === '' || text.includes('\0'))
    throw new StartFailure(`${name} must name a directory, not "${text}".`);
  return text;
}

function parseProject(text: string, name: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(text))
    throw new StartFailure(
      `${name} must be 1 to 30 lower-case letters, digits and inner hyphens, not "${text}".`,
    );
  return text;
}

function parseHostName(text: string, name: string): string {
  const host = text.trim().toLowerCase();
  if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(host))
    throw new StartFailure(`${name} must be a host name or an IPv4 address without a port, not "${text}".`);
  return host;
}

function parseLogLevel(text: string, name: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new StartFailure(`${name} must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
  return level;
}

function noNames(): readonly string[] {
  return [];
}

function defaultLogLevel(): LogLevel {
  return 'info';
}
