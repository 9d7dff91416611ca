import { isIP } from 'node:net';
import { StartFailure } from './failures.ts';
import { CLUSTER_OPTIONS } from './network/cluster-options.ts';
import { isAddressRange, parseSmtpAddress, type SmtpAddress } from './network-address.ts';
import {
  type Environment,
  type FlagsOf,
  type OptionSpec,
  parseInteger,
  readOption,
  single,
  switchOption,
  type ValuesOf,
} from './option.ts';
import { OPTIONS } from './server-options.ts';

/** Maximum of `--password-ms`. Every machine can hash with the maximum number of passes within this time. */
const MAX_PASSWORD_MS = 5_000;
/**
 * On a processor that takes 25 ms for the minimum that OWASP recommends for argon2id, this is twice the minimum. Users do
 * not notice the delay.
 */
const DEFAULT_PASSWORD_MS = 50;

/** Options of `hearth serve`. */
export const SERVE_OPTIONS = {
  port: OPTIONS.port,
  host: {
    flag: '--host <address>',
    environment: 'HEARTH_HOST',
    help: 'address to listen on; beyond this machine, only with --tls-cert or --trust-proxy',
    fallback: '127.0.0.1',
    isRepeatable: false,
    parse: single(parseAddress),
  },
  publicUrl: {
    flag: '--public-url <url>',
    environment: 'HEARTH_PUBLIC_URL',
    help: 'address that clients use, such as https://hearth.example.com; required beyond this machine',
    fallback: noText(),
    isRepeatable: false,
    parse: single(parsePublicUrl),
  },
  tlsCert: fileOption('--tls-cert <file>', 'HEARTH_TLS_CERT', 'certificate chain in PEM'),
  tlsKey: fileOption('--tls-key <file>', 'HEARTH_TLS_KEY', 'private key of the certificate in PEM'),
  trustProxy: {
    flag: '--trust-proxy <address>',
    environment: 'HEARTH_TRUST_PROXY',
    help: 'proxy that terminates TLS: an address, or a network such as 10.0.0.0/8; may be repeated',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts, name): readonly string[] => texts.map((text) => parseProxy(text, name)),
  },
  smtpUrl: {
    flag: '--smtp-url <url>',
    environment: 'HEARTH_SMTP_URL',
    help: 'mail server for projects without their own, such as smtps://user@mail.example.com; only HEARTH_SMTP_PASSWORD sets its password',
    fallback: noAddress(),
    isRepeatable: false,
    parse: single((text, name): SmtpAddress | null => parseSmtpAddress(text, name)),
  },
  mailFrom: {
    flag: '--mail-from <address>',
    environment: 'HEARTH_MAIL_FROM',
    help: 'sender address of emails that the mail server of --smtp-url sends',
    fallback: noText(),
    isRepeatable: false,
    parse: single((text): string | null => text),
  },
  allowPrivateHooks: switchOption(
    '--allow-private-hooks',
    'let projects call blocking functions on this machine and in private networks',
  ),
  allowPrivateProviders: switchOption(
    '--allow-private-providers',
    'let projects use identity providers on this machine and in private networks',
  ),
  allowPrivateSms: switchOption(
    '--allow-private-sms',
    'let projects send text messages through servers on this machine and in private networks',
  ),
  allowPrivateSmtp: switchOption(
    '--allow-private-smtp',
    'let projects use mail servers on this machine and in private networks',
  ),
  passwordMs: {
    flag: '--password-ms <ms>',
    environment: 'HEARTH_PASSWORD_MS',
    help: 'target time to hash a password on this machine, measured once; at least 2 passes of argon2id over 19 MiB',
    fallback: DEFAULT_PASSWORD_MS,
    isRepeatable: false,
    parse: single((text, name): number => parseInteger(text, name, 10, MAX_PASSWORD_MS)),
  },
  data: OPTIONS.data,
  keyFile: OPTIONS.keyFile,
  allowHost: OPTIONS.allowHost,
  maxBacklogBytes: OPTIONS.maxBacklogBytes,
  maxMessageBytes: OPTIONS.maxMessageBytes,
  maxBodyBytes: OPTIONS.maxBodyBytes,
  memory: OPTIONS.memory,
  logLevel: OPTIONS.logLevel,
  ...CLUSTER_OPTIONS,
} as const satisfies Record<string, OptionSpec<unknown>>;

export interface ServeOptions extends ValuesOf<typeof SERVE_OPTIONS> {
  /** No flag sets it, because all users of the machine can read command lines. */
  readonly smtpPassword: string | null;
}

/**
 * Returns the values of the options: from the command line, else from the environment, else the default. Throws a
 * `StartFailure` for an invalid value.
 */
export function readServeOptions(
  flags: FlagsOf<typeof SERVE_OPTIONS>,
  environment: Environment = process.env,
): ServeOptions {
  const { port, host, publicUrl, tlsCert, tlsKey, trustProxy, smtpUrl, mailFrom, data, keyFile } =
    SERVE_OPTIONS;
  return {
    port: readOption(port, flags.port, environment),
    host: readOption(host, flags.host, environment),
    publicUrl: readOption(publicUrl, flags.publicUrl, environment),
    tlsCert: readOption(tlsCert, flags.tlsCert, environment),
    tlsKey: readOption(tlsKey, flags.tlsKey, environment),
    trustProxy: readOption(trustProxy, flags.trustProxy, environment),
    smtpUrl: readOption(smtpUrl, flags.smtpUrl, environment),
    mailFrom: readOption(mailFrom, flags.mailFrom, environment),
    allowPrivateSmtp: readOption(SERVE_OPTIONS.allowPrivateSmtp, flags.allowPrivateSmtp, environment),
    allowPrivateHooks: readOption(SERVE_OPTIONS.allowPrivateHooks, flags.allowPrivateHooks, environment),
    allowPrivateProviders: readOption(
      SERVE_OPTIONS.allowPrivateProviders,
      flags.allowPrivateProviders,
      environment,
    ),
    allowPrivateSms: readOption(SERVE_OPTIONS.allowPrivateSms, flags.allowPrivateSms, environment),
    smtpPassword: environment['HEARTH_SMTP_PASSWORD'] || null,
    passwordMs: readOption(SERVE_OPTIONS.passwordMs, flags.passwordMs, environment),
    data: readOption(data, flags.data, environment),
    keyFile: readOption(keyFile, flags.keyFile, environment),
    allowHost: readOption(SERVE_OPTIONS.allowHost, flags.allowHost, environment),
    maxBacklogBytes: readOption(SERVE_OPTIONS.maxBacklogBytes, flags.maxBacklogBytes, environment),
    maxMessageBytes: readOption(SERVE_OPTIONS.maxMessageBytes, flags.maxMessageBytes, environment),
    maxBodyBytes: readOption(SERVE_OPTIONS.maxBodyBytes, flags.maxBodyBytes, environment),
    memory: readOption(SERVE_OPTIONS.memory, flags.memory, environment),
    logLevel: readOption(SERVE_OPTIONS.logLevel, flags.logLevel, environment),
    cluster: readOption(SERVE_OPTIONS.cluster, flags.cluster, environment),
    clusterName: readOption(SERVE_OPTIONS.clusterName, flags.clusterName, environment),
    clusterAddress: readOption(SERVE_OPTIONS.clusterAddress, flags.clusterAddress, environment),
    clusterMonitor: readOption(SERVE_OPTIONS.clusterMonitor, flags.clusterMonitor, environment),
    clusterKeep: readOption(SERVE_OPTIONS.clusterKeep, flags.clusterKeep, environment),
    clusterReplicas: readOption(SERVE_OPTIONS.clusterReplicas, flags.clusterReplicas, environment),
  };
}

function parseAddress(text: string, name: string): string {
  if (text === 'localhost') return '127.0.0.1';
  if (isIP(text) === 0)
    throw new StartFailure(`${name} must be an IP address, such as 0.0.0.0 for all, not "${text}".`);
  return text;
}

/** Returns the origin of a URL without a path. Throws a `StartFailure` for any other text. */
function parsePublicUrl(text: string, name: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw new StartFailure(`${name} must be an address such as https://hearth.example.com, not "${text}".`);
  return url.origin;
}

function parseProxy(text: string, name: string): string {
  const range = text.trim();
  if (!isAddressRange(range))
    throw new StartFailure(`${name} must be an IP address or a network such as 10.0.0.0/8, not "${text}".`);
  if (/\/0+$/.test(range))
    throw new StartFailure(
      `${name} must not be "${text}", which makes every client a trusted proxy. Name the addresses of your proxy.`,
    );
  return range;
}

function fileOption(flag: string, environment: string, help: string): OptionSpec<string | null> {
  return { flag, environment, help, fallback: null, isRepeatable: false, parse: single(parseFileName) };
}

function parseFileName(text: string, name: string): string {
  if (text === '' || text.includes('\0')) throw new StartFailure(`${name} must name a file, not "${text}".`);
  return text;
}

// The next three functions give the default of an option a wider type than its literal has.
function noText(): string | null {
  return null;
}

function noAddress(): SmtpAddress | null {
  return null;
}

function noTexts(): readonly string[] {
  return [];
}
