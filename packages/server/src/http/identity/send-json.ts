import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../accounts/fields.ts';
import { PrintedJson } from '../../accounts/printed-json.ts';
import type { Headers } from '../answer.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  json: JsonObject | PrintedJson,
  headers: Headers,
): void {
  const { bytes } = json instanceof PrintedJson ? json : new PrintedJson(json);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
