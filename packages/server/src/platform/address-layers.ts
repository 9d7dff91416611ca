import { isIPv4, isIPv6 } from 'node:net';
import { RecentMap } from './recent-map.ts';

/**
 * Returns the network of an IP address, in which a device usually stays: /24 for IPv4, /64 for IPv6. Returns
 * `''` if the text is not an address.
 */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return '';
  const [head = '', tail = ''] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = plain.includes('::') ? tail.split(':').filter((group) => group !== '') : [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const full = plain.includes('::') ? [...groups, ...zeros, ...rest] : groups;
  return `${full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** The networks around an IP address, within which neighboring addresses probably belong to the same person. */
export interface AddressLayers {
  /** The address itself for IPv4; /64 for IPv6, because one subscriber has at least that many addresses. */
  readonly host: string;
  /** /24 of IPv4, /64 of IPv6. */
  readonly network: string;
  /** /24 of IPv4, /48 of IPv6. */
  readonly site: string;
}

/**
 * A cache, because the same addresses are parsed repeatedly and the result depends only on the address. No
 * address is longer than 64 characters.
 */
const KNOWN = new RecentMap<AddressLayers>(4_096, 64);

/** Returns the networks of an IP address. All are empty if the text is not an address. */
export function addressLayers(address: string): AddressLayers {
  const known = KNOWN.find(address);
  if (known !== undefined) return known;
  const layers = parseLayers(address);
  KNOWN.write(address, layers);
  return layers;
}

function parseLayers(address: string): AddressLayers {
  const network = networkOf(address);
  if (network.endsWith('/24')) return { host: address.replace(/^.*:/, ''), network, site: network };
  const site = network === '' ? '' : `${network.split(':').slice(0, 3).join(':')}::/48`;
  return { host: network, network, site };
}

/** Matches the /64 of an IPv6 address, and in it the /48. */
const IPV6_NETWORK = /^((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+::\/64$/;

/** Returns the /48 around a /64 of IPv6, and any other network unchanged. */
export function siteOfNetwork(network: string): string {
  const prefix = IPV6_NETWORK.exec(network)?.[1];
  return prefix === undefined ? network : `${prefix}::/48`;
}

/** Returns the /24 around an IPv4 address, the /48 around a /64 of IPv6, and any other text unchanged. */
export function neighborhoodOf(network: string): string {
  return isIPv4(network) ? networkOf(network) : siteOfNetwork(network);
}
