import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/** How requests come to this server. */
export interface Transport {
  /** This server as its clients name it, without a path: `https://hearth.example.com`. */
  readonly originOf: (request: IncomingMessage) => string;
  /** Returns the address of the client that makes a request. */
  readonly clientAddressOf: (request: IncomingMessage) => string;
  /** The same if a proxy speaks for the client; `null` for one whose connection is its own, and knows its address. */
  readonly forwardedAddressOf: (request: IncomingMessage) => string | null;
  /** Why a request must not be answered whatever it asks for, in a sentence. */
  readonly findError: (request: IncomingMessage) => string | undefined;
  /** Is it always over TLS, so that browsers may be told never to come without? */
  readonly isSecure: boolean;
  /** Can a proxy stand between? Then a connection from this machine tells nothing of who asks. */
  readonly mayBeProxied: boolean;
}

/** Clients on the same machine, which name the server as they like. */
export const LOCAL_TRANSPORT: Transport = {
  originOf: ({ headers }) => `http://${headers.host ?? 'localhost'}`,
  clientAddressOf: ({ socket }) => peerAddress(socket),
  forwardedAddressOf: () => null,
  findError: () => undefined,
  isSecure: false,
  mayBeProxied: false,
};

/** Clients that connect to this server themselves, as far as it was told; without TLS of its own, something else may speak it. */
export function directTransport(publicUrl: string, hasCertificate: boolean): Transport {
  return {
    originOf: () => publicUrl,
    clientAddressOf: ({ socket }) => peerAddress(socket),
    forwardedAddressOf: () => null,
    findError: () => undefined,
    isSecure: publicUrl.startsWith('https:'),
    mayBeProxied: !hasCertificate,
  };
}

/**
 * Clients that come by way of proxies, which are trusted to say who the client is and that it came over TLS. Others may
 * connect from this machine alone, whose own addresses are `ownAddresses` beside the loopback ones. `proxies` are addresses, or
 * networks such as `10.0.0.0/8`.
 */
export function proxiedTransport(
  publicUrl: string,
  proxies: readonly string[],
  ownAddresses: readonly string[],
): Transport {
  const trusted = listAddresses(proxies);
  const local = listAddresses(['127.0.0.0/8', '::1', ...ownAddresses]);
  return {
    originOf: () => publicUrl,
    clientAddressOf: (request) => clientBehind(request, trusted),
    forwardedAddressOf: (request) => clientBehind(request, trusted),
    findError: (request) => {
      const peer = peerAddress(request.socket);
      if (!has(trusted, peer) && !has(local, peer)) return `Come by way of ${publicUrl}.`;
      const scheme = listOf(request, 'x-forwarded-proto').findLast((item) => item !== '');
      return has(trusted, peer) && scheme !== undefined && scheme !== 'https'
        ? `Come over TLS, to ${publicUrl}.`
        : undefined;
    },
    isSecure: publicUrl.startsWith('https:'),
    mayBeProxied: true,
  };
}

/**
 * The last address that no trusted proxy has: what is before it, the client may have made up. If a proxy names something that
 * is no address, the request is the proxy's own.
 */
function clientBehind(request: IncomingMessage, trusted: BlockList): string {
  let client = peerAddress(request.socket);
  for (const entry of listOf(request, 'x-forwarded-for').toReversed()) {
    if (!has(trusted, client)) break;
    const named = findAddress(entry);
    if (named === undefined) break;
    client = named;
  }
  return client;
}

/** The address of `203.0.113.9`, `203.0.113.9:5678`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:443`. */
function findAddress(entry: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/.exec(entry) ?? [];
  const address = withoutMapping(bracketed ?? dotted ?? entry);
  return isIP(address) === 0 ? undefined : address;
}

function listOf(request: IncomingMessage, header: string): readonly string[] {
  const value = request.headers[header];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text.split(',').map((item) => item.trim().toLowerCase());
}

function listAddresses(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function has(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Address of the other end of a connection; empty when it has ended. */
export function peerAddress({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return withoutMapping(remoteAddress ?? '');
}

/** A socket for both families names IPv4 addresses as IPv6 ones. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '');
}
