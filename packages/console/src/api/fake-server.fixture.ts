import { expect, onTestFinished } from 'vitest';
import { FakeDatabase, type FakeListen, type FakeListens } from './fake-database.fixture.ts';

/** A response of the fake server. */
export type FakeResponse =
  | {
      readonly kind: 'complete';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Sends the body and stays open, like a stream of events. */
  | { readonly kind: 'open'; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** Never responds. */
  | { readonly kind: 'pending' }
  /** Fails like a request to a server that does not run. */
  | { readonly kind: 'unreachable' };

/**
 * Responses by method and address, such as `GET /api/projects/demo/accounts`. The method of a request for a stream of
 * events is `EVENTS`. A key matches a request that has all query parameters of the key; the request may have more. The
 * first matching key applies.
 */
export type FakeResponses = Readonly<Record<string, FakeResponse>>;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function complete(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
): FakeResponse {
  return { kind: 'complete', status, headers, body };
}

export function json<T>(body: T): FakeResponse {
  return complete(200, JSON.stringify(body));
}

/** Returns a response with JSON Lines. The last one must have the kind `done`, unless the response is to be incomplete. */
export function jsonLines<T extends { readonly kind: string }>(lines: readonly T[]): FakeResponse {
  return complete(200, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Returns a response with the text and the hash of a node. */
export function nodeText(text: string, etag: string): FakeResponse {
  return complete(200, text, { ...JSON_TYPE, etag });
}

/** Returns a response with Server-Sent Events that stays open. */
export function eventStream(events: readonly (readonly [name: string, data: unknown])[]): FakeResponse {
  const body = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return { kind: 'open', headers: { 'content-type': 'text/event-stream' }, body };
}

/** Returns an error response in the format of the admin API. */
export function requestError(
  status: number,
  code: string,
  error: string,
  details: Readonly<Record<string, unknown>> = {},
): FakeResponse {
  return complete(status, JSON.stringify({ error, code, ...details }));
}

export const PENDING: FakeResponse = { kind: 'pending' };
export const UNREACHABLE: FakeResponse = { kind: 'unreachable' };

/** The message of `FORBIDDEN`, as the server writes it. */
export const FORBIDDEN_TEXT = 'Your role in this project does not allow this.';
export const FORBIDDEN = requestError(403, 'auth/role', FORBIDDEN_TEXT);

/** The message of `BROKEN`, as the server writes it. */
export const BROKEN_TEXT = 'Internal server error.';
export const BROKEN = requestError(500, 'internal/error', BROKEN_TEXT);

/** A request that the fake server has received. */
interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
}

/** Responds to the requests of one test. */
export class FakeServer {
  /** Requests without a response in the table, such as `GET /api/session`. */
  readonly unknown: string[] = [];
  readonly #responses: Map<string, FakeResponse>;

  readonly #database: FakeDatabase;

  constructor(responses: FakeResponses, database: FakeDatabase) {
    this.#database = database;
    this.#responses = new Map(Object.entries(responses));
  }

  /** Changes the response to an address of the table. */
  respond(route: string, response: FakeResponse): void {
    if (!this.#responses.has(route)) throw new Error(`The fake server has no ${route}.`);
    this.#responses.set(route, response);
  }

  /** Changes the result of later listens of the database SDK at a path. */
  respondToListen(path: string, listen: FakeListen): void {
    this.#database.respondToListen(path, listen);
  }

  /** Responds to a request in place of `window.fetch`. */
  async fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const request: ReceivedRequest = {
      method: acceptsEvents(init) ? 'EVENTS' : (init.method ?? 'GET'),
      url: new URL(input instanceof Request ? input.url : input, location.origin),
    };
    const response = this.#find(request);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    switch (response.kind) {
      case 'complete':
        return new Response(response.body, { status: response.status, headers: response.headers });
      case 'open':
        return new Response(openBody(response.body, signal), { headers: response.headers });
      case 'pending':
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      case 'unreachable':
        throw new TypeError('Failed to fetch');
      default:
        return response satisfies never;
    }
  }

  #find(request: ReceivedRequest): FakeResponse {
    const found = [...this.#responses].find(([route]) => matches(route, request));
    if (found !== undefined) return found[1];
    const name = `${request.method} ${request.url.pathname}${request.url.search}`;
    this.unknown.push(name);
    return requestError(501, 'fake/unknown', `The fake server does not know ${name}.`);
  }
}

function acceptsEvents({ headers }: RequestInit): boolean {
  return new Headers(headers).get('accept') === 'text/event-stream';
}

function matches(route: string, { method, url }: ReceivedRequest): boolean {
  const [wantedMethod, address = ''] = route.split(' ');
  const wanted = new URL(address, location.origin);
  return (
    wantedMethod === method &&
    wanted.pathname === url.pathname &&
    [...wanted.searchParams].every(([name, value]) => url.searchParams.get(name) === value)
  );
}

function openBody(body: string, signal: AbortSignal | undefined): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}

/**
 * Starts a server that responds in place of the network until the test ends: to `fetch`, and to the connections of the
 * database SDK. The test fails if it sends a request or a listen that is not in the tables.
 */
export function startFakeServer(responses: FakeResponses, listens: FakeListens = {}): FakeServer {
  const database = FakeDatabase.start(listens);
  const server = new FakeServer(responses, database);
  const { fetch: ofBrowser } = window;
  window.fetch = (input, init) => server.fetch(input, init);
  onTestFinished(() => {
    window.fetch = ofBrowser;
    database.stop();
    expect([...server.unknown, ...database.unknown], 'requests that the fake server does not know').toEqual(
      [],
    );
  });
  return server;
}
