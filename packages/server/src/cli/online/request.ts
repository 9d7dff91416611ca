import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestOverTcp } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { ANSWER_WITHIN_MS } from './target.ts';

/** The response to a request of an outsider. */
export interface OutsideAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Sends a GET request without a secret, and returns the head of the response. Accepts every certificate, because
 * another check judges it. Rejects if the server does not answer in time.
 */
export async function requestAsOutsider(
  url: URL,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<OutsideAnswer> {
  const open = url.protocol === 'https:' ? requestOverTls : requestOverTcp;
  const options = {
    headers,
    agent: false,
    rejectUnauthorized: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  };
  const outgoing = open(url, options);
  // An error after the response changes nothing.
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response');
  outgoing.end();
  const [incoming] = (await answered) as [IncomingMessage];
  const { statusCode: status = 0 } = incoming;
  // The head is enough, and a database may be large.
  incoming.destroy();
  return { status, headers: incoming.headers };
}
