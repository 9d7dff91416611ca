import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { type AddressCheck, checkedLookup, Unreachable } from './public-address.ts';

export interface HttpReply {
  readonly status: number;
  readonly body: string;
  /** The address to which a redirect leads, as the server wrote it. */
  readonly location?: string | undefined;
  /** The time at which the server sent the reply, as it wrote it. */
  readonly date?: string | undefined;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for none. */
  readonly body: string | null;
}

/**
 * Sends a request to another server. Follows no redirects. Rejects if there is no complete reply in time, if the reply is
 * too long, or if the address is not allowed.
 */
export type HttpSend = (url: URL, request: OutgoingRequest, signal?: AbortSignal) => Promise<HttpReply>;

export interface HttpSendOptions {
  /** Returns whether the server may connect to an address. `undefined` allows all addresses. */
  readonly mayReach: AddressCheck | undefined;
  /** The message of the error for an address that is not allowed. */
  readonly forbidden: string;
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
}

export function createHttpSend({ mayReach, forbidden, timeoutMs, maxReplyBytes }: HttpSendOptions): HttpSend {
  return async (url, { method, headers, body }, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // No name is resolved for an address, so `lookup` below is not called.
    if (mayReach !== undefined && isIP(host) !== 0 && !mayReach(host)) throw new Unreachable(forbidden);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const timeout = AbortSignal.timeout(timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    const request = send(url, {
      method,
      headers: body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      // A connection of its own for each request: they are rare, and no connection outlives the settings.
      agent: false,
      ...(mayReach === undefined ? {} : { lookup: checkedLookup(mayReach, forbidden) }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxReplyBytes) response.destroy(new Error('The reply is too long.'));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          location: response.headers.location,
          date: response.headers.date,
        }),
      );
    });
    request.end(body ?? undefined);
    return promise;
  };
}
