import type { IncomingMessage } from 'node:http';
import { isLocalHost, unknownHostMessage } from './host-guard.ts';
import { parseHostName } from './host-name.ts';
import { identityPathOf } from './identity/identity-path.ts';
import type { Transport } from './transport.ts';

export interface AdmissionOptions {
  /** Host names that requests may be for, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Host names that requests to the interface of identity may be for as well. */
  readonly identityHosts: readonly string[];
  readonly transport: Transport;
}

/** Why a request must not be answered, whatever it asks for: the way it came, or the host it is for. */
export function findBar(request: IncomingMessage, options: AdmissionOptions): string | undefined {
  const { host } = request.headers;
  const barred = options.transport.findRefusal(request);
  if (barred !== undefined || isLocalHost(host, options.allowedHosts)) return barred;
  const isForIdentity =
    options.identityHosts.includes(parseHostName(host ?? '') ?? '') &&
    identityPathOf(request.url ?? '') !== undefined;
  return isForIdentity ? undefined : unknownHostMessage(host);
}
