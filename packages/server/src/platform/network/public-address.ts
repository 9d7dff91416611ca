import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Thrown if a connection fails. The message is for operators. */
export class Unreachable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreachable';
  }
}

/** Returns whether the server may connect to an IP address. */
export type AddressCheck = (address: string) => boolean;

/**
 * Returns a lookup function that resolves a host to its allowed addresses, and fails with `forbidden` if there is
 * none. The connection uses one of them, and the name is not resolved again.
 */
export function checkedLookup(mayReach: AddressCheck, forbidden: string): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const open = addresses.filter(({ address }) => mayReach(address));
      const [first] = open;
      if (first === undefined) return done(new Unreachable(forbidden), []);
      return options.all === true ? done(null, open) : done(null, first.address, first.family);
    });
  };
}

/** IPv4 ranges that are local to a machine or network, have a special purpose, or are unassigned. */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared between providers and their customers; some clouds have their metadata service here.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; most clouds have their metadata service here.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's internal platform services.
  ['168.63.129.16', 32],
];

/** Ranges of public IPv6 that lead to IPv4 or have a special purpose. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

/** The range from which all public IPv6 addresses are assigned. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

/** Returns whether an IP address belongs to the public internet, judging only by the address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
