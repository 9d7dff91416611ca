import { ApiError, brokenOff } from './api-error.ts';
import { takeAhead, takeTextAhead } from './asked-ahead.ts';
import { tellAnswered, tellUnanswered } from './connectivity.ts';
import type { Credential } from './credential.ts';
import { encodeQuery, type QueryParameters } from './encode-query.ts';
import { readEvents, type ServerEvent } from './read-events.ts';
import { readLines } from './read-lines.ts';

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
  readonly #onRefused: (error: ApiError) => void;

  /** Without a credential it asks what everybody may. `onRefused` hears of each refusal before whoever asked. */
  constructor(credential: Credential | null, onRefused: (error: ApiError) => void = () => {}) {
    this.#credential = credential;
    this.#onRefused = onRefused;
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
    const refusal = await refusalOf(response);
    this.#onRefused(refusal);
    throw refusal;
  }
}

async function responseOrFail(answer: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  try {
    const response = await answer;
    tellAnswered();
    return response;
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    tellUnanswered();
    throw new ApiError(0, 'The server does not answer.', 'offline', undefined, { cause });
  }
}

/** Refusals are JSON: a sentence, or the official form of identity with a code in capitals. */
async function refusalOf(response: Response): Promise<ApiError> {
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
