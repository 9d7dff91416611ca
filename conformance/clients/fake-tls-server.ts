import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './own-certificate.ts';

/** A request as the server received it. */
export interface SeenRequest {
  /** The `Host` header, which names the server that the client believes it is connected to. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

/** A TLS server that sends prepared responses and records the requests. */
export interface FakeTlsServer {
  /** `https://localhost:port`. */
  readonly url: string;
  /** The certificate to trust, in PEM. */
  readonly ca: string;
  readonly requests: readonly SeenRequest[];
}

/** Responses by path. Any other path is answered with 404. */
export type Answers = Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;

/** Opens a server for the running test; it is closed with the test. */
export async function openFakeTlsServer(answers: Answers): Promise<FakeTlsServer> {
  const { cert, key } = makeCertificate('localhost');
  const requests: SeenRequest[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://localhost');
    requests.push({
      host: request.headers.host ?? '',
      method: request.method ?? '',
      path: pathname,
      authorization: request.headers.authorization ?? '',
      body: await text(request),
    });
    const { status = 200, body } = answers[pathname] ?? { status: 404, body: { error: { code: 404 } } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, ca: cert, requests };
}
