import type { IncomingMessage } from 'node:http';
import type { ClientInfo } from '../../accounts/identity-call.ts';
import { requestSource } from '../request-source.ts';

/** What a request says of the program that makes it. */
export function clientInfo(request: IncomingMessage, address: string): ClientInfo {
  return {
    ...requestSource(request, address),
    locale: headerText(request, 'x-firebase-locale') ?? headerText(request, 'accept-language') ?? '',
    origin: headerText(request, 'origin') ?? null,
    isWeb: /\/JsCore\//.test(headerText(request, 'x-client-version') ?? ''),
  };
}

/** A header that counts once. */
export function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
