import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonStream } from '../database/read-request.ts';
import { sendBody } from './send-body.ts';

export type Headers = Readonly<Record<string, string>>;

/** What a request is answered with, down to the bytes. */
export interface Answer {
  readonly status: number;
  /** With `content-type`, unless there is no body. */
  readonly headers: Headers;
  readonly body: JsonStream | null;
}

/** What a REST route answers with; how it is printed is up to the client. */
export interface JsonAnswer {
  readonly status?: number;
  readonly headers?: Headers;
  /** JSON text. */
  readonly json: JsonStream;
}

/** Text at once. */
export function wholeText(text: string): JsonStream {
  return { kind: 'whole', bytes: Buffer.from(text) };
}

/** Sends an answer; its body is left out for `HEAD`. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
  commonHeaders: Headers,
): Promise<void> {
  if (body !== null) return sendBody(request, response, { status, commonHeaders, headers }, body);
  response.writeHead(status, { ...commonHeaders, ...headers });
  response.end();
  return Promise.resolve();
}
