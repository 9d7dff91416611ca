import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { addressLayers } from '../platform/address-layers.ts';
import { isLoopback } from '../platform/network-address.ts';
import { MANY_CLIENTS } from '../platform/resource-pool.ts';

/** How requests reach this server. */
export interface Transport {
  /**
   * Returns the origin of this server as its clients name it, without a path: `https://hearth.example.com`.
   */
  readonly originOf: (request: IncomingMessage) => string;
  /** Returns the address of the client that makes a request. */
  readonly clientAddressOf: (request: IncomingMessage) => string;
  /**
   * Returns the client's address if the client may connect through a proxy. Returns `null` if the connection
   * is the client's own and has its address.
   */
  readonly forwardedAddressOf: (request: IncomingMessage) => string | null;
  /** Returns a sentence with the reason to reject a request regardless of its URL, or `undefined`. */
  readonly findError: (request: IncomingMessage) => string | undefined;
  /**
   * Returns the network of the peer of a connection: an IPv4 address, or the /64 of an IPv6 address. `MANY_CLIENTS`
   * for a trusted proxy, and for a peer on this machine, which may be a proxy.
   */
  readonly networkOfPeer: (socket: Socket) => string;
  /** Returns the network of the client that makes a request, in the same form as `networkOfPeer`. */
  readonly networkOfClient: (request: IncomingMessage) => string;
  /** Whether clients always use TLS, so that the server may tell browsers to require it. */
  readonly isSecure: boolean;
  /**
   * Whether a proxy may be in front of the server. Then a connection from this machine says nothing about the
   * client.
   */
  readonly mayBeProxied: boolean;
}

/** The transport for clients on the same machine. They may use any name for the server. */
export const LOCAL_TRANSPORT: Transport = {
  originOf: ({ headers }) => `http://${headers.host ?? 'localhost'}`,
  clientAddressOf: ({ socket }) => peerAddress(socket),
  forwardedAddressOf: () => null,
  networkOfPeer,
  networkOfClient: ({ socket }) => networkOfPeer(socket),
  findError: () => undefined,
  isSecure: false,
  mayBeProxied: false,
};

/**
 * Returns the transport for clients that connect directly, as far as the configuration says. A proxy may still be in
 * front of the server: one that ends TLS or, if the server has a certificate, one that passes TCP connections on.
 */
export function directTransport(publicUrl: string): Transport {
  return {
    originOf: () => publicUrl,
    clientAddressOf: ({ socket }) => peerAddress(socket),
    forwardedAddressOf: () => null,
    networkOfPeer,
    networkOfClient: ({ socket }) => networkOfPeer(socket),
    findError: () => undefined,
    isSecure: publicUrl.startsWith('https:'),
    mayBeProxied: true,
  };
}

/**
 * Returns the transport for clients behind proxies. The server trusts the proxies to state the client's
 * address and that the client uses TLS. Other peers may connect only from this machine, whose addresses are
 * the loopback addresses and `ownAddresses`. `proxies` are addresses, or networks such as `10.0.0.0/8`.
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
    clientAddressOf: (request) => findForwardedAddress(request, trusted),
    forwardedAddressOf: (request) => findForwardedAddress(request, trusted),
    networkOfPeer: (socket) =>
      containsAddress(trusted, peerAddress(socket)) ? MANY_CLIENTS : networkOfPeer(socket),
    networkOfClient: (request) => {
      const address = findForwardedAddress(request, trusted);
      return containsAddress(trusted, address) ? MANY_CLIENTS : networkOfAddress(address);
    },
    findError: (request) => {
      const peer = peerAddress(request.socket);
      if (!containsAddress(trusted, peer) && !containsAddress(local, peer))
        return `Connect through ${publicUrl}.`;
      const scheme = headerItems(request, 'x-forwarded-proto').findLast((item) => item !== '');
      return containsAddress(trusted, peer) && scheme !== undefined && scheme !== 'https'
        ? `Use TLS: connect to ${publicUrl}.`
        : undefined;
    },
    isSecure: publicUrl.startsWith('https:'),
    mayBeProxied: true,
  };
}

/**
 * Returns the last address that does not belong to a trusted proxy. The client may have forged the addresses
 * before it. If a proxy states something that is not an address, the request counts as the proxy's own.
 */
function findForwardedAddress(request: IncomingMessage, trusted: BlockList): string {
  let client = peerAddress(request.socket);
  for (const entry of headerItems(request, 'x-forwarded-for').toReversed()) {
    if (!containsAddress(trusted, client)) break;
    const forwarded = findAddress(entry);
    if (forwarded === undefined) break;
    client = forwarded;
  }
  return client;
}

/**
 * Returns the address in `203.0.113.9`, `203.0.113.9:5678`, `2001:db8::1`, `[2001:db8::1]` or
 * `[2001:db8::1]:443`, and `undefined` for other text.
 */
function findAddress(entry: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/.exec(entry) ?? [];
  const address = withoutMapping(bracketed ?? dotted ?? entry);
  return isIP(address) === 0 ? undefined : address;
}

function headerItems(request: IncomingMessage, header: string): readonly string[] {
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

function containsAddress(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns the network of a peer that no option names as a proxy. */
function networkOfPeer(socket: Socket): string {
  return networkOfAddress(peerAddress(socket));
}

function networkOfAddress(address: string): string {
  return isLoopback(address) ? MANY_CLIENTS : addressLayers(address).host;
}

/** Returns the address of the other end of a connection, or an empty string if the connection has ended. */
export function peerAddress({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return withoutMapping(remoteAddress ?? '');
}

/**
 * Removes the prefix of an IPv4-mapped IPv6 address. A dual-stack socket reports IPv4 addresses in this form.
 */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '');
}
