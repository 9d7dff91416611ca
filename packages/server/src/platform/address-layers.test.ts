import { expect, test } from 'vitest';
import { addressLayers, neighborhoodOf } from './address-layers.ts';

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.0/24', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24', '192.0.2.0/24'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['', '', '', ''],
  ['nowhere', '', '', ''],
])('[I493] %s has the host %s, the network %s and the site %s', (address, host, network, site) => {
  expect(addressLayers(address)).toEqual({ host, network, site });
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['*', '*'],
  ['', ''],
])('[I692] %s has the neighborhood %s', (network, neighborhood) => {
  expect(neighborhoodOf(network)).toBe(neighborhood);
});
