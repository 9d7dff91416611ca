import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { HttpServer } from './server.ts';

export interface LoopbackRequest {
  readonly method?: string;
  /** Sent byte for byte as the target of the request. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** A complete response. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends requests to one server over the loopback device, each on a separate connection. */
export class LoopbackClient {
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** Sends a request and returns the response as soon as it begins. Rejects if the connection ends before it. */
  begin({ method = 'GET', url, headers, body }: LoopbackRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.port,
        method,
        path: url,
        // With the header `connection: close`, the client could not detect that the server closes the connection.
        headers: { connection: 'keep-alive', ...lengthHeader(body), ...headers },
        agent: false,
      });
      outgoing.on('response', resolve).on('error', reject).end(body);
    });
  }

  /** Sends a request and returns the complete response. */
  async send(request: LoopbackRequest): Promise<LoopbackAnswer> {
    const answer = await this.begin(request);
    const { statusCode: status = 0, headers } = answer;
    return { status, headers, body: await text(answer) };
  }

  /** Sends requests in one write on one connection, so that they arrive together. Returns the statuses in order. */
  async sendTogether(requests: readonly LoopbackRequest[]): Promise<readonly number[]> {
    const socket = connect(this.port, '127.0.0.1');
    socket.write(
      requests.map((request, index) => formatRequest(request, index === requests.length - 1)).join(''),
    );
    return Array.from((await text(socket)).matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status));
  }
}

function formatRequest(
  { method = 'GET', url, headers, body = '' }: LoopbackRequest,
  isLast: boolean,
): string {
  const all = {
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: isLast ? 'close' : 'keep-alive',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function lengthHeader(body: string | Buffer | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

/** Starts a server on a free port until the test has finished, and returns a client for it. */
export async function openLoopbackClient(server: HttpServer): Promise<LoopbackClient> {
  onTestFinished(() => server.close());
  return new LoopbackClient(await server.listen('127.0.0.1', 0));
}
