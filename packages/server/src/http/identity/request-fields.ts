import type { IncomingMessage } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { Fields, isJsonObject, type JsonObject } from '../../accounts/fields.ts';
import { bodyOf, decodeBody, holdBody, parseBody } from '../request-body.ts';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** The members of a request: those of its body, and those of its query that the body lacks. */
export async function readFields(
  request: IncomingMessage,
  query: URLSearchParams,
  maxBodyBytes: number,
): Promise<Fields> {
  return new Fields({ ...fromQuery(query), ...(await readBody(request, maxBodyBytes)) });
}

async function readBody(request: IncomingMessage, maxBodyBytes: number): Promise<JsonObject> {
  const held = await holdBody(bodyOf(request), maxBodyBytes);
  if (held.kind === 'long') throw new Refusal('request/too-big');
  if (held.bytes.length === 0) return {};
  const text = decodeBody(held.bytes);
  // Some programs call every body a form.
  if (FORM.test(request.headers['content-type'] ?? '') && !text.trimStart().startsWith('{'))
    return fromQuery(new URLSearchParams(text));
  const json = parseBody(text);
  if (!isJsonObject(json)) throw new Refusal('value/unparsable', 'The body must be a JSON object.');
  return json;
}

/** A name that occurs several times is a list. */
function fromQuery(query: URLSearchParams): JsonObject {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
