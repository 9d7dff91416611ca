import type { ClientInfo } from './identity-call.ts';
import type { Device } from './session.ts';
import { addressLayers } from './throttling/address-layers.ts';

const MAX_USER_AGENT_LENGTH = 256;

export function deviceOf({ userAgent, address }: ClientInfo): Device {
  return { userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH), network: addressLayers(address).network };
}
