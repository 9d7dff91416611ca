import { isIP } from 'node:net';
import { StartFailure } from '../failures.ts';
import { type OptionSpec, parseInteger, single } from '../option.ts';

/** Where the NATS servers of a cluster are. */
export interface NatsAddress {
  /** `nats://<host>:<port>`, without user and password. */
  readonly url: string;
  /** `null` if the servers ask for no password. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** An address at which a program listens on the network. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_NATS_PORT = '4222';
const DEFAULT_REPLICAS = 3;
const MAX_REPLICAS = 5;
const DEFAULT_KEPT_MESSAGES = 20_000;
const MIN_KEPT_MESSAGES = 100;
const MAX_KEPT_MESSAGES = 10_000_000;

/** Options of commands that connect to a cluster. */
export const CLUSTER_CONNECTION_OPTIONS = {
  cluster: {
    flag: '--cluster <url>',
    environment: 'HEARTH_CLUSTER',
    help: 'NATS server of the cluster, such as nats://user:password@10.0.0.1:4222; may be repeated',
    fallback: noServers(),
    isRepeatable: true,
    parse: (texts, name): readonly NatsAddress[] => texts.map((text) => parseNatsAddress(text, name)),
  },
  clusterName: {
    flag: '--cluster-name <name>',
    environment: 'HEARTH_CLUSTER_NAME',
    help: 'name of the cluster, if the NATS servers hold several',
    fallback: 'hearth',
    isRepeatable: false,
    parse: single(parseClusterName),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Options of programs that may create the log of a cluster. */
export const CLUSTER_SERVER_OPTIONS = {
  clusterMonitor: {
    flag: '--cluster-monitor <url>',
    environment: 'HEARTH_CLUSTER_MONITOR',
    help: 'monitoring port of a NATS server, whose settings are checked, such as http://10.0.0.1:8222; may be repeated',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts, name): readonly string[] => texts.map((text) => parseMonitor(text, name)),
  },
  clusterReplicas: {
    flag: '--cluster-replicas <number>',
    environment: 'HEARTH_CLUSTER_REPLICAS',
    help: 'NATS servers that store each write; with fewer than 3, the loss of one loses data',
    fallback: DEFAULT_REPLICAS,
    isRepeatable: false,
    parse: single((text, name): number => parseInteger(text, name, 1, MAX_REPLICAS)),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Options of a node of a cluster. */
export const CLUSTER_OPTIONS = {
  ...CLUSTER_CONNECTION_OPTIONS,
  clusterAddress: {
    flag: '--cluster-address <address:port>',
    environment: 'HEARTH_CLUSTER_ADDRESS',
    help: 'address at which the other nodes reach this one, such as 10.0.0.1:9100',
    fallback: noAddress(),
    isRepeatable: false,
    parse: single((text, name): SocketAddress | null => parseSocketAddress(text, name)),
  },
  ...CLUSTER_SERVER_OPTIONS,
  clusterKeep: {
    flag: '--cluster-keep <messages>',
    environment: 'HEARTH_CLUSTER_KEEP',
    help: 'messages that the log keeps at least; a node that is further behind loads a snapshot',
    fallback: DEFAULT_KEPT_MESSAGES,
    isRepeatable: false,
    parse: single((text, name): number => parseInteger(text, name, MIN_KEPT_MESSAGES, MAX_KEPT_MESSAGES)),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

function parseNatsAddress(text: string, name: string): NatsAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'nats:' || url.hostname === '' || !/^\/?$/.test(url.pathname))
    // The text may contain a password.
    throw new StartFailure(`${name} must be the address of a NATS server, such as nats://10.0.0.1:4222.`);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  return {
    url: `nats://${url.hostname}:${url.port || DEFAULT_NATS_PORT}`,
    login: user === '' ? null : { user, password },
  };
}

/** Parses the name of a cluster, which becomes a part of the names of streams and subjects. */
function parseClusterName(text: string, name: string): string {
  if (!/^[A-Za-z0-9-]{1,32}$/.test(text))
    throw new StartFailure(`${name} must have 1 to 32 letters, digits and hyphens, not "${text}".`);
  return text;
}

function parseSocketAddress(text: string, name: string): SocketAddress | null {
  const [, host = '', port = ''] = /^\[?([0-9a-fA-F.:]+?)\]?:([0-9]{1,5})$/.exec(text) ?? [];
  if (isIP(host) === 0 || /^[0.:]+$/.test(host) || Number(port) > 65_535)
    throw new StartFailure(
      `${name} must be an IP address of this machine and a port, such as 10.0.0.1:9100, not "${text}".`,
    );
  return { host, port: Number(port) };
}

function parseMonitor(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new StartFailure(
      `${name} must be the address of a monitoring port, such as http://10.0.0.1:8222, not "${text}".`,
    );
  return url.origin;
}

// The next three functions give the default of an option a wider type than its literal has.
function noServers(): readonly NatsAddress[] {
  return [];
}

function noAddress(): SocketAddress | null {
  return null;
}

function noTexts(): readonly string[] {
  return [];
}
