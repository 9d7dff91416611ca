import type { IncomingMessage } from 'node:http';
import type { ClientInfo } from '../../accounts/identity-call.ts';
import { requestIdOf } from '../../ops/request-id.ts';

/** What a request says of the program that makes it. */
export function clientInfo(request: IncomingMessage, address: string): ClientInfo {
  return new RequestingClient(request, address);
}

class RequestingClient implements ClientInfo {
  readonly address: string;
  readonly userAgent: string;
  readonly locale: string;
  readonly origin: string | null;
  readonly isWeb: boolean;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage, address: string) {
    this.address = address;
    this.userAgent = headerText(request, 'user-agent') ?? '';
    this.locale = headerText(request, 'x-firebase-locale') ?? headerText(request, 'accept-language') ?? '';
    this.origin = headerText(request, 'origin') ?? null;
    this.isWeb = /\/JsCore\//.test(headerText(request, 'x-client-version') ?? '');
    this.#request = request;
  }

  /** A request is named when it is to be told of, because a name in each answer is a twentieth of what a refresh costs. */
  get requestId(): string {
    return requestIdOf(this.#request);
  }
}

/** A header that counts once. */
export function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
