import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as openRequest } from 'node:http';
import { connectionOf, headersOf, type Peer, type Target } from './target.ts';

/** One request over HTTP. */
export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
}

/** The outcome of a request. `status` is 0 if the connection ended without a response. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly tookMs: number;
}

const TIMEOUT_MS = 30_000;

/** A client that sends requests over connections of its own, which it keeps open. */
export class HttpClient {
  readonly #target: Target;
  readonly #peer: Peer;
  readonly #agent: Agent;

  constructor(target: Target, peer: Peer, maxSockets = 1) {
    this.#target = target;
    this.#peer = peer;
    this.#agent = new Agent({ keepAlive: maxSockets > 0, maxSockets: Math.max(1, maxSockets) });
  }

  /** Sends a request and reads the whole response. Never rejects. */
  ask({
    method = 'GET',
    path,
    headers = {},
    body,
    timeoutMs = TIMEOUT_MS,
  }: HttpRequest): Promise<HttpAnswer> {
    const startedMs = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, text: string, received: IncomingHttpHeaders = {}): void =>
        resolve({ status, text, headers: received, tookMs: performance.now() - startedMs });
      const sent = openRequest(
        {
          ...connectionOf(this.#target, this.#peer),
          agent: this.#agent,
          method,
          path,
          headers: { ...headersOf(this.#target, this.#peer), ...headers },
          timeout: timeoutMs,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('end', () =>
            end(response.statusCode ?? 0, Buffer.concat(parts).toString('utf8'), response.headers),
          );
          response.once('close', () => end(0, 'the response ended early'));
        },
      );
      sent.once('timeout', () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
      sent.once('error', (error) => end(0, error.message));
      sent.end(body);
    });
  }

  /** Sends a JSON object with POST. */
  post(path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.ask({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
