import { expect } from 'vitest';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  openLoopbackClient,
} from '../http/loopback-client.fixture.ts';
import { createMemoryServer } from './memory-server.fixture.ts';

export type Method = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE' | 'OPTIONS';
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * A request, the expected status and body of its response (a regular expression matches the body), and
 * headers of both.
 */
export type Row = readonly [
  method: Method,
  url: string,
  body: string | Buffer | undefined,
  status: number,
  answer: string | RegExp,
  headers?: RequestHeaders,
  /** Expected headers of the response; `undefined` means that the response must not have the header. */
  answerHeaders?: Readonly<Record<string, string | undefined>>,
];

export const LOCAL: RequestHeaders = { host: 'localhost:9000' };
export const OWNER: RequestHeaders = { authorization: 'Bearer owner' };

export function toRequest([method, url, body, , , headers]: Row): LoopbackRequest {
  return { method, url, headers: { ...LOCAL, ...headers }, body };
}

/** Sends the rows one after another to one new server and checks the responses. */
export async function expectAnswers(rows: readonly Row[], maxBodyBytes?: number): Promise<void> {
  const { server, serve } = await createMemoryServer({}, maxBodyBytes);
  serve();
  const client = await openLoopbackClient(server);
  for (const row of rows) expectAnswer(row, await client.send(toRequest(row)));
}

export function expectAnswer(
  [method, url, , status, answer, , answerHeaders = {}]: Row,
  response: LoopbackAnswer,
): void {
  const seen = `${method} ${url}: ${response.status} ${response.body}`;
  expect(response.status, seen).toBe(status);
  if (typeof answer === 'string') expect(response.body, seen).toBe(answer);
  else expect(response.body, seen).toMatch(answer);
  for (const [name, value] of Object.entries(answerHeaders)) expect(response.headers[name], seen).toBe(value);
}

/** Returns the JSON body of an error response. Errors of the admin API have a `code`. */
export function error(text: string, code?: string): string {
  return JSON.stringify({ error: text, code });
}

/** The response of the admin API to callers who are not administrators. */
export const UNAUTHORIZED = error('Unauthorized request.', 'auth/admin-only');
