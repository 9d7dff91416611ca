import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { type AddressCheck, checkedLookup, Unreachable } from '../mail/smtp-connection.ts';

export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

export interface PostedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts to a URL. Follows no redirects. Rejects if there is no complete reply in time, if the reply is too long, or if
 * the address is not allowed.
 */
export type HttpPost = (url: URL, posted: PostedBody, signal: AbortSignal) => Promise<HttpReply>;

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 65_536;
const FORBIDDEN =
  'The SMS service is not at a public address. The operator can allow other addresses with --allow-private-sms.';

/** Returns a function that posts only to allowed addresses; to all if `mayReach` is `undefined`. */
export function createHttpPost(mayReach: AddressCheck | undefined): HttpPost {
  return async (url, { headers, body }, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // No name is resolved for an address, so `lookup` below is not called.
    if (mayReach !== undefined && isIP(host) !== 0 && !mayReach(host)) throw new Unreachable(FORBIDDEN);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // A connection of its own for each message: messages are rare, and no connection outlives the settings.
      agent: false,
      ...(mayReach === undefined ? {} : { lookup: checkedLookup(mayReach, FORBIDDEN) }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) response.destroy(new Error('The reply is too long.'));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.end(body);
    return promise;
  };
}
