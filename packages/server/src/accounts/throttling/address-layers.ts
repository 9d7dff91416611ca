import { RecentMap } from '../../ops/recent-map.ts';
import { networkOf } from '../network-of.ts';

/** The circles around an address within which its neighbours are likely to be the same person. */
export interface AddressLayers {
  /** The address itself of IPv4, /64 of IPv6, which is what one subscriber has. */
  readonly host: string;
  /** /24 of IPv4, /64 of IPv6. */
  readonly network: string;
  /** /24 of IPv4, /48 of IPv6. */
  readonly site: string;
}

/** Nothing but the address decides what it is, and each is asked about again and again. No address is longer. */
const KNOWN = new RecentMap<AddressLayers>(4_096, 64);

/** All are empty for what is no address. */
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
