import { BlockList, isIP } from 'node:net';

/** Ranges of IPv4 that are of one machine or network, have a special purpose, or are nobody's. */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Between providers and their customers; some clouds have their metadata here.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata of most clouds.
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
  // Within Azure, what serves its machines.
  ['168.63.129.16', 32],
];

/** Of the IPv6 that is handed out to the public, ranges that lead to IPv4 or have a special purpose. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

const handedOut = new BlockList();
handedOut.addSubnet('2000::', 3, 'ipv6');

/** Is this the IP address of a host of the public internet, as far as addresses tell? */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return handedOut.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
