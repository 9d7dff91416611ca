import type { IncomingMessage } from 'node:http';
import { findForeignPage, foreignPageMessage } from './foreign-page.ts';
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
  /** Must web pages be of this machine or of an allowed host? Where whoever reaches the server may do everything. */
  readonly barsForeignPages: boolean;
}

/** Why a request must not be answered, whatever it asks for: the way it came, the host it is for, or the page it is from. */
export function findBar(request: IncomingMessage, options: AdmissionOptions): string | undefined {
  const { host } = request.headers;
  const barred = options.transport.findRefusal(request) ?? findPageBar(request, options);
  if (barred !== undefined || isLocalHost(host, options.allowedHosts)) return barred;
  const isForIdentity =
    options.identityHosts.includes(parseHostName(host ?? '') ?? '') &&
    identityPathOf(request.url ?? '') !== undefined;
  return isForIdentity ? undefined : unknownHostMessage(host);
}

function findPageBar(
  { headers }: IncomingMessage,
  { barsForeignPages, allowedHosts }: AdmissionOptions,
): string | undefined {
  const page = barsForeignPages ? findForeignPage(headers, allowedHosts) : undefined;
  return page === undefined ? undefined : foreignPageMessage(page);
}
