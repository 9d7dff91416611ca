import { create } from 'zustand';
import { encodeQuery, type QueryParameters } from './children-address.ts';
import { takeAhead, takeTextAhead } from './prefetch.ts';
import type { Credential } from './session.ts';

/** An answer of the server that is a refusal, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Status of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** What the server calls the refusal, where it does. */
  readonly code: string | undefined;
  /** The whole body of the answer, where it was JSON. */
  readonly details: unknown;

  constructor(status: number, message: string, code?: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const BROKEN_OFF = 'broken-off';

/** What is thrown when an answer ends before it is complete. */
export function brokenOff(cause?: unknown): ApiError {
  return new ApiError(0, 'Incomplete response.', BROKEN_OFF, undefined, { cause });
}

/** Was there no answer, as when the server is down or cannot be reached? */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Did an answer begin, and end before it was complete? */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof ApiError && error.code === BROKEN_OFF;
}

/** Is it a refusal because the one who asks may not? */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** Whether the server answers: told by every request, and the one source for whatever depends on it. */
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

/** The lines of an answer as they come, without their ends. A last line without an end counts too. */
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

/** An event of a stream as the standard of Server-Sent Events describes it. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of an answer as they come; comments are passed over. */
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
  /** Sent as it is, in the place of `body`. */
  readonly text?: string | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The interfaces of the server over HTTP, asked by whoever is at the console. The one place that fetches. */
export class Api {
  readonly #credential: Credential | null;
  readonly #onDenied: (error: ApiError) => void;

  /** Without a credential it asks what everybody may. `onDenied` hears of each refusal before whoever asked. */
  constructor(credential: Credential | null, onDenied: (error: ApiError) => void = () => {}) {
    this.#credential = credential;
    this.#onDenied = onDenied;
  }

  /** The answer to what was asked for ahead, if it is there already; nobody has it again. */
  takeKnown(address: string): string | undefined {
    return takeTextAhead(address);
  }

  /** An answer in JSON. Rejects with an `ApiError`. */
  async json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    const response = await this.send(path, request);
    // The server and the console are built together: what it answers is described in docs/reference/api.md.
    return (await response.json()) as T;
  }

  /**
   * The lines of an answer in lines of JSON, as they come; the last one is `done`. Rejects with an `ApiError`, also when they
   * break off before that one.
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
      throw request.signal?.aborted === true ? cause : brokenOff(cause);
    }
    if (last !== 'done') throw brokenOff();
  }

  /** The events of a stream, until it ends. Rejects with an `ApiError`. */
  async *events(path: string, request: ApiRequest = {}): AsyncGenerator<ServerEvent, void, undefined> {
    const headers = { ...request.headers, accept: 'text/event-stream' };
    yield* readEvents(await this.send(path, { ...request, headers }));
  }

  /** An answer that is no refusal. Rejects with an `ApiError`. */
  async send(
    path: string,
    { method = 'GET', query = {}, body, text, headers, signal }: ApiRequest,
  ): Promise<Response> {
    const address = `${path}${encodeQuery(query)}`;
    const ahead = method === 'GET' && headers === undefined ? takeAhead(address, signal) : undefined;
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
    this.#onDenied(requestError);
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

/** Refusals are JSON: a sentence, or the official form of identity with a code in capitals. */
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

/** How long the server may take to say that it is there, in milliseconds. */
const LIMIT_MS = 5_000;

/** `GET /healthz`: finds out whether the server answers, and tells. */
export async function askHealth(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', { signal: AbortSignal.timeout(LIMIT_MS), cache: 'no-store' });
    if (ok) reportAnswered();
    else reportUnanswered();
  } catch {
    reportUnanswered();
  }
}
