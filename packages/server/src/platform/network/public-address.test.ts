import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each(['1.1.1.1', '100.63.255.255', '172.15.0.1', '172.32.0.1', '223.255.255.255', '2606:4700::1111'])(
  '[I664] %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['a loopback address', ['127.0.0.1', '127.255.255.254', '::1']],
  ['an unspecified address', ['0.0.0.0', '0.1.2.3', '::']],
  ['a private address', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1']],
  ['a link-local address', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0']],
  ['a unique-local address', ['fc00::1', 'fd12:3456::1']],
  ['a multicast address', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
  ['the broadcast address', ['255.255.255.255']],
  [
    'the address of a metadata service',
    ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  ],
  [
    'an IPv4 address in IPv6',
    ['::ffff:127.0.0.1', '::ffff:1.1.1.1', '::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ],
  ['text that is not an address', ['', 'localhost', '127.1', '2130706433', '1.1.1.1.1']],
])('[I664] %s is not public', (_what, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});
