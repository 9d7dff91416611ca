import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** How requests come to this server. */
export interface Transport {
  /** This server as its clients name it, without a path: `https://hearth.example.com`. */
  readonly originOf: (request: IncomingMessage) => string;
  /** Address of the client that makes a request. */
  readonly clientAddressOf: (request: IncomingMessage) => string;
  /** Why a request must not be answered whatever it asks for, in a sentence. */
  readonly findRefusal: (request: IncomingMessage) => string | undefined;
  /** Is it always over TLS, so that browsers may be told never to come without? */
  readonly isSecure: boolean;
}

/** Clients on the same machine, which name the server as they like. */
export const LOCAL_TRANSPORT: Transport = {
  originOf: ({ headers }) => `http://${headers.host ?? 'localhost'}`,
  clientAddressOf: peerAddress,
  findRefusal: () => undefined,
  isSecure: false,
};

/** Clients that connect to this server themselves. */
export function directTransport(publicUrl: string): Transport {
  return {
    originOf: () => publicUrl,
    clientAddressOf: peerAddress,
    findRefusal: () => undefined,
    isSecure: publicUrl.startsWith('https:'),
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
    findRefusal: (request) => {
      const peer = peerAddress(request);
      if (!has(trusted, peer) && !has(local, peer)) return `Come by way of ${publicUrl}.`;
      const scheme = listOf(request, 'x-forwarded-proto').at(-1);
      return has(trusted, peer) && scheme !== undefined && scheme !== 'https'
        ? `Come over TLS, to ${publicUrl}.`
        : undefined;
    },
    isSecure: publicUrl.startsWith('https:'),
  };
}

/** The last address that no trusted proxy has: what is before it, the client may have made up. */
function clientBehind(request: IncomingMessage, trusted: BlockList): string {
  const peer = peerAddress(request);
  if (!has(trusted, peer)) return peer;
  const named = listOf(request, 'x-forwarded-for').filter((address) => isIP(address) !== 0);
  return named.findLast((address) => !has(trusted, address)) ?? named[0] ?? peer;
}

function listOf(request: IncomingMessage, header: string): readonly string[] {
  const value = request.headers[header];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
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

/** A socket for both families names IPv4 addresses as IPv6 ones. */
function peerAddress({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=[0-9.]+$)/i, '');
}
