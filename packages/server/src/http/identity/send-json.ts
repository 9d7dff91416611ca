import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../accounts/fields.ts';
import { PrintedJson } from '../../accounts/printed-json.ts';
import type { Headers } from '../answer.ts';

/** Nobody is to keep what is answered. */
const HEADERS: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function sendJson(
  response: ServerResponse,
  status: number,
  json: JsonObject | PrintedJson,
  headers: Headers = HEADERS,
): void {
  const { bytes } = json instanceof PrintedJson ? json : new PrintedJson(json);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
