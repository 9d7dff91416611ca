import { createHttpSend, type HttpSend } from '../../platform/network/http-send.ts';
import type { AddressCheck } from '../../platform/network/public-address.ts';
import { isLoopback } from '../../platform/network-address.ts';
import { AuthOverload } from '../errors.ts';
import { type Claims, parseClaims } from '../tokens/jwt.ts';

/** Thrown if a provider does not answer, or not correctly. The message is for administrators, not for users. */
export class ProviderFailure extends Error {
  /**
   * Whether the failing request was sent just now; otherwise an earlier one failed, and the server has not tried again.
   */
  readonly isFresh: boolean;

  constructor(message: string, { isFresh = true, ...options }: ErrorOptions & { isFresh?: boolean } = {}) {
    super(message, options);
    this.name = 'ProviderFailure';
    this.isFresh = isFresh;
  }
}

const TIMEOUT_MS = 5_000;
/** Maximum number of requests to providers at a time. Each takes a connection. */
const MAX_REQUESTS = 128;
const BUSY_SEC = 5;
const MAX_REPLY_BYTES = 262_144;
/** Longest address of a provider, in characters. */
export const MAX_PROVIDER_URL_LENGTH = 2_048;
const FORBIDDEN =
  'The identity provider is not at a public address. The operator can allow other addresses with --allow-private-providers.';

/**
 * Returns a function that sends requests to providers at the addresses that `mayReach` allows; `undefined` allows all
 * addresses. It throws a `ProviderFailure` if there is no reply, and an `AuthOverload` if too many requests are
 * running.
 */
export function createProviderSend(mayReach: AddressCheck | undefined): HttpSend {
  const send = createHttpSend({
    mayReach,
    forbidden: FORBIDDEN,
    timeoutMs: TIMEOUT_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
  let running = 0;
  return async (url, request, signal) => {
    if (running >= MAX_REQUESTS) throw new AuthOverload(BUSY_SEC);
    running += 1;
    try {
      return await send(url, request, signal);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ProviderFailure(`${url.host} cannot be reached: ${reason.replace(/\.$/, '')}.`, { cause });
    } finally {
      running -= 1;
    }
  };
}

/** Fetches a JSON object. Throws a `ProviderFailure` if the reply is not one. */
export async function fetchJson(
  send: HttpSend,
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<Claims> {
  const { status, body } = await send(url, {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'hearth', ...headers },
    body: null,
  });
  if (status !== 200) throw new ProviderFailure(`${url.host} answered with status ${status}.`);
  return parseReply(body, url);
}

/** Sends a form, and returns the JSON object of the reply. Throws a `ProviderFailure` if the reply is not one. */
export async function fetchAnswer(
  send: HttpSend,
  url: URL,
  form: Readonly<Record<string, string>>,
): Promise<Claims> {
  const { status, body } = await send(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  if (status !== 200) throw new ProviderFailure(`${url.host} answered with status ${status}.`);
  return parseReply(body, url);
}

/** Parses the JSON object in a reply. Throws a `ProviderFailure`. */
export function parseReply(body: string, { host }: URL): Claims {
  try {
    return parseClaims(body);
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw new ProviderFailure(`${host} answered with something other than a JSON object.`, { cause });
    throw cause;
  }
}

/** Returns the URL of a provider's endpoint. Throws a `ProviderFailure` if it has no TLS and is not on this machine. */
export function requireProviderUrl(text: unknown): URL {
  const url = typeof text === 'string' && text.length <= MAX_PROVIDER_URL_LENGTH ? URL.parse(text) : null;
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
  if (url === null || !isSafe || url.username !== '' || url.password !== '')
    throw new ProviderFailure('An address of the provider is not an https URL.');
  return url;
}
