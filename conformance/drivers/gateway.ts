import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface GatewayOptions {
  /**
   * The gateway cuts a connection without traffic, or a WebSocket without traffic from the client, after this time; 0
   * for never.
   */
  readonly idleMs: number;
  /** Whether WebSockets are rejected from the start. */
  readonly isBlocking: boolean;
}

/**
 * A proxy in front of the server. Like proxies in real networks, it can reject WebSockets, cut idle connections, and
 * answer that the server is unavailable.
 */
export interface Gateway {
  readonly id: string;
  readonly url: string;
  /** Returns the path and query of all requests so far, in order, except those of rejected WebSockets. */
  addresses(): readonly string[];
  /** Cuts all open WebSockets, and rejects new ones until `allow`. */
  block(): void;
  /** Answers requests with 503 and a text page until `allow`. WebSockets are still forwarded. */
  fail(): void;
  /** Ends the effect of `block` and `fail`. */
  allow(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a server on an ephemeral loopback port; the `Host` header is not changed. */
export async function openGateway(serverUrl: string, options: GatewayOptions): Promise<Gateway> {
  const { hostname, port } = new URL(serverUrl);
  const addresses: string[] = [];
  const webSockets = new Set<Duplex>();
  let isBlocking = options.isBlocking;
  let isFailing = false;

  const http = createServer((request, response) => {
    addresses.push(request.url ?? '/');
    if (isFailing) sendUnavailable(request, response);
    else forward(request, response, hostname, port);
  });
  http.timeout = options.idleMs;
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    if (isBlocking) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    addresses.push(request.url ?? '/');
    webSockets.add(socket);
    socket.on('close', () => webSockets.delete(socket));
    forwardWebSocket(request, socket, head, hostname, port);
    if (options.idleMs > 0) cutWhenIdle(socket, options.idleMs);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address() as AddressInfo;
  const cut = () => {
    for (const socket of webSockets) socket.destroy();
  };
  return {
    id: randomUUID(),
    url: `http://127.0.0.1:${address.port}`,
    addresses: () => addresses,
    block: () => {
      isBlocking = true;
      cut();
    },
    fail: () => {
      isFailing = true;
    },
    allow: () => {
      isBlocking = false;
      isFailing = false;
    },
    close: async () => {
      cut();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Answers 503 with headers that let a page of any origin read the response. */
function sendUnavailable(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(503, {
    'content-type': 'text/plain',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
  });
  response.end('No server is available to handle this request.\n');
}

function forward(request: IncomingMessage, response: ServerResponse, hostname: string, port: string): void {
  const { method, url: path, headers } = request;
  const onward = openRequest({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

function forwardWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  hostname: string,
  port: string,
): void {
  const onward = connect(Number(port), hostname);
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
  onward.write(`${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  onward.pipe(socket).pipe(onward);
  onward.on('error', () => socket.destroy());
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

function cutWhenIdle(socket: Duplex, idleMs: number): void {
  const timer = setTimeout(() => socket.destroy(), idleMs);
  socket.on('data', () => timer.refresh());
  socket.on('close', () => clearTimeout(timer));
}
