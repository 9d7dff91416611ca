import { type Agent, type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** The answer to a request. Status 0 means that the connection ended before the answer. */
export type HttpAnswer = { readonly status: number; readonly text: string };

/** A request; the body is JSON. */
export type HttpOrder = {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 90_000;

/** Sends requests to a port. Without `agent`, each has its own connection. Never rejects. */
export async function askHttp(port: number, order: HttpOrder, agent?: Agent): Promise<HttpAnswer> {
  const bytes = order.body === undefined ? undefined : Buffer.from(JSON.stringify(order.body));
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ status: 0, text: error.message });
    const outgoing: ClientRequest = request({
      host: '127.0.0.1',
      port,
      method: order.method,
      path: order.path,
      agent: agent ?? false,
      timeout: order.timeoutMs ?? TIMEOUT_MS,
      headers: {
        ...(order.token === undefined ? {} : { authorization: `Bearer ${order.token}` }),
        ...(bytes === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': bytes.length }),
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), fail);
    });
    outgoing.end(bytes);
  });
}
