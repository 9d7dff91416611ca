import { create } from 'zustand';
import { encodeQuery, type QueryParameters } from './children-address.ts';
import { takePrefetched, takePrefetchedText } from './prefetch.ts';
import type { Credential } from './session.ts';

/** An error response of the server, or a missing or incomplete response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if there was no complete response. */
  readonly status: number;
  /** Error code of the server, if any. */
  readonly code: string | undefined;
  /** The response body, if it was JSON. */
  readonly details: unknown;

  constructor(status: number, message: string, code?: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Returns the sentence of an error, without the code that the Auth API writes before it. */
export function printError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof ApiError ? text.replace(/^[A-Z][A-Z_]+ : (?=\S)/, '') : text;
}

const INCOMPLETE = 'incomplete';

/** Returns the error for a response that ended before it was complete. */
export function incompleteResponse(cause?: unknown): ApiError {
  return new ApiError(0, 'Incomplete response.', INCOMPLETE, undefined, { cause });
}

/** Returns whether there was no complete response, such as when the server is unreachable. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/**
 * Returns whether the server did not process a request now: it did not respond, or it was starting or overloaded. The same
 * request may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  return isUnanswered(error) || (error instanceof ApiError && error.status === 503);
}

/** Returns whether a response started but ended before it was complete. */
export function isIncomplete(error: unknown): boolean {
  return error instanceof ApiError && error.code === INCOMPLETE;
}

/**
 * Returns whether the server rejected the request with status 401 or 403: the credential is not valid, or has no
 * permission.
 */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** Returns whether the server has nothing at the address. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the server responded to the latest request; for a health check, with status 2xx. */
export type Connectivity =
  | { readonly kind: 'online' }
  | { readonly kind: 'offline'; readonly sinceMs: number };

const ONLINE: Connectivity = { kind: 'online' };

export const useConnectivity = create<Connectivity>()(() => ONLINE);

function reportAnswered(): void {
  if (useConnectivity.getState().kind === 'offline') useConnectivity.setState(ONLINE, true);
}

function reportUnanswered(nowMs = Date.now()): void {
  if (useConnectivity.getState().kind === 'online')
    useConnectivity.setState({ kind: 'offline', sinceMs: nowMs }, true);
}

/** Yields the lines of a response as they arrive, without line ends, including a last line without an end. */
async function* readLines({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** An event of a Server-Sent Events stream. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Yields the events of a response as they arrive; skips comments. */
async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of readLines(response)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
    } else if (line.startsWith('event:')) event = line.slice('event:'.length).trimStart();
    else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
  }
}

export interface ApiRequest {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: QueryParameters;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The HTTP client of the console. Only prefetches, health checks and the Firebase SDKs send requests without it. */
export class Api {
  readonly #credential: Credential | null;
  readonly #onError: (error: ApiError) => void;

  /** Without a credential, requests are anonymous. `onError` receives each error response before the caller does. */
  constructor(credential: Credential | null, onError: (error: ApiError) => void = () => {}) {
    this.#credential = credential;
    this.#onError = onError;
  }

  /** Returns the text of a prefetched response that is complete, once; otherwise `undefined`. */
  takePrefetched(address: string): string | undefined {
    return takePrefetchedText(address);
  }

  /** Sends a request and parses the JSON response. Rejects like `send`. */
  async json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    const response = await this.send(path, request);
    // The server and the console are built together; docs/reference/api.md describes the responses.
    return (await response.json()) as T;
  }

  /**
   * Yields the lines of a JSON Lines response as they arrive; the last one has the kind `done`. Rejects like `send`, and
   * with an `ApiError` if the response ends without that line.
   */
  async *lines<T extends { readonly kind: string }>(
    path: string,
    request: ApiRequest = {},
    parse: (text: string) => unknown = JSON.parse,
  ): AsyncGenerator<T, void, undefined> {
    const response = await this.send(path, request);
    let last: string | undefined;
    try {
      for await (const text of readLines(response)) {
        const line = parse(text) as T;
        last = line.kind;
        yield line;
      }
    } catch (cause) {
      throw request.signal?.aborted === true ? cause : incompleteResponse(cause);
    }
    if (last !== 'done') throw incompleteResponse();
  }

  /**
   * Yields the events of a stream until it ends. Rejects like `send`, and with another error if the connection breaks
   * later.
   */
  async *events(path: string, request: ApiRequest = {}): AsyncGenerator<ServerEvent, void, undefined> {
    const headers = { ...request.headers, accept: 'text/event-stream' };
    yield* readEvents(await this.send(path, { ...request, headers }));
  }

  /**
   * Sends a request. Rejects with an `ApiError` if there is no response, or if its status is not 2xx. After an abort,
   * rejects with the error of the abort.
   */
  async send(
    path: string,
    { method = 'GET', query = {}, body, text, headers, signal }: ApiRequest,
  ): Promise<Response> {
    const address = `${path}${encodeQuery(query)}`;
    const ahead = method === 'GET' && headers === undefined ? takePrefetched(address, signal) : undefined;
    const answer =
      ahead ??
      fetch(address, {
        method,
        headers: {
          ...(this.#credential === null ? {} : { authorization: `Bearer ${await this.#credential.token()}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(text === undefined ? {} : { body: text }),
        signal: signal ?? null,
      });
    const response = await responseOrFail(answer, signal);
    if (response.ok) return response;
    const requestError = await requestErrorOf(response);
    this.#onError(requestError);
    throw requestError;
  }
}

async function responseOrFail(answer: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const response = await answer;
    reportAnswered();
    return response;
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    reportUnanswered();
    throw new ApiError(0, 'No response from the server.', 'offline', undefined, { cause });
  }
}

/** Parses an error response: JSON with a message, the Auth API format with a code in capitals, or any text. */
async function requestErrorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const details = parseOrUndefined(text);
  const { error, code } = (details ?? {}) as { error?: unknown; code?: unknown };
  const ownCode = typeof code === 'string' ? code : undefined;
  if (typeof error === 'string') return new ApiError(response.status, error, ownCode, details);
  const { message } = (error ?? {}) as { message?: unknown };
  if (typeof message === 'string')
    return new ApiError(response.status, message, message.split(' ', 1)[0], details);
  return new ApiError(response.status, text === '' ? response.statusText : text.slice(0, 500));
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** After this time without a response, the server counts as unreachable. */
const HEALTH_TIMEOUT_MS = 3_000;

/** Checks `GET /healthz` and updates `useConnectivity`. */
export async function checkHealth(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
      cache: 'no-store',
    });
    if (ok) reportAnswered();
    else reportUnanswered();
  } catch {
    reportUnanswered();
  }
}
