import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../accounts/fields.ts';
import type { Headers } from '../answer.ts';

/** Sends JSON that nobody is to keep, unless the headers say otherwise. */
export function sendJson(
  response: ServerResponse,
  status: number,
  json: JsonObject,
  headers: Headers = {},
): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
  });
  response.end(body);
}
