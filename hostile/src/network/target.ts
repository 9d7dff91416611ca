import type { TcpNetConnectOpts } from 'node:net';

/** How clients of different networks reach the server from one machine. */
export type Entry =
  /** Through a trusted proxy: each request names its client in `X-Forwarded-For`. */
  | 'proxied'
  /** Directly: each connection has an address of its own on the loopback interface. */
  | 'direct';

/** The addresses and credentials that a client needs. Can be sent to another process as JSON. */
export interface Target {
  readonly port: number;
  readonly entry: Entry;
  readonly projectId: string;
  readonly apiKey: string;
  readonly namespace: string;
  /** Third group of the IPv4 addresses of this run. */
  readonly addressGroup: number;
}

/** One client, by which the server can tell it from others. */
export interface Peer {
  readonly side: 'crowd' | 'attacker';
  /** From 0. Two peers of one side with different numbers are different hosts in the same /24. */
  readonly host: number;
}

/** Addresses that are reserved for load tests (RFC 2544). No other program uses them. */
const PREFIX = { crowd: '198.18', attacker: '198.19' } as const;

const HOSTS = 250;

/** Returns the networks whose addresses the peers of a run have. */
export function networksOf(addressGroup: number): readonly string[] {
  return Object.values(PREFIX).map((prefix) => `${prefix}.${addressGroup}.0/24`);
}

export function addressOf(target: Target, { side, host }: Peer): string {
  return `${PREFIX[side]}.${target.addressGroup}.${1 + (host % HOSTS)}`;
}

/** Returns the headers with which a peer sends its requests. */
export function headersOf(target: Target, peer: Peer): Readonly<Record<string, string>> {
  return target.entry === 'proxied' ? { 'x-forwarded-for': addressOf(target, peer) } : {};
}

/** Returns the options with which a peer opens its connections. */
export function connectionOf(
  target: Target,
  peer: Peer,
): TcpNetConnectOpts & { readonly host: string; readonly port: number } {
  const base = { host: '127.0.0.1', port: target.port };
  return target.entry === 'proxied' ? base : { ...base, localAddress: addressOf(target, peer) };
}
