import type { IncomingMessage } from 'node:http';
import { requestIdOf } from '../../http/request-id.ts';
import type { ClientInfo } from '../request.ts';

/** Returns the information about the client of a request. */
export function clientInfo(request: IncomingMessage, address: string, network: string): ClientInfo {
  return new RequestingClient(request, address, network);
}

class RequestingClient implements ClientInfo {
  readonly address: string;
  readonly network: string;
  readonly userAgent: string;
  readonly locale: string;
  readonly origin: string | null;
  readonly isWeb: boolean;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage, address: string, network: string) {
    this.address = address;
    this.network = network;
    this.userAgent = headerText(request, 'user-agent') ?? '';
    this.locale = headerText(request, 'x-firebase-locale') ?? headerText(request, 'accept-language') ?? '';
    this.origin = headerText(request, 'origin') ?? null;
    this.isWeb = /\/JsCore\//.test(headerText(request, 'x-client-version') ?? '');
    this.#request = request;
  }

  /**
   * Creates the id at the first read. Ids for all requests would make the refresh of a token about 5 % slower.
   */
  get requestId(): string {
    return requestIdOf(this.#request);
  }
}

/** Returns the first value of a header, or `undefined` if the request does not have it. `name` is in lower case. */
export function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
