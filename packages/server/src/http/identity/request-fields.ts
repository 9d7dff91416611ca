import type { IncomingMessage } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { Fields, isJsonObject, type JsonObject } from '../../accounts/fields.ts';
import { decodeBody, parseBody } from '../request-body.ts';

/** Deepest nesting of a body, itself counted: what reads it may call itself for each level. */
const MAX_DEPTH = 32;
/** Most members of a query or a form. */
const MAX_MEMBERS = 1_000;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** The members of a request: those of its body, and those of its query that the body lacks. */
export function parseFields(request: IncomingMessage, query: URLSearchParams, body: Buffer): Fields {
  return new Fields({ ...fromQuery(query), ...parseMembers(request, body) });
}

function parseMembers(request: IncomingMessage, bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {};
  const text = decodeBody(bytes);
  if (isForm(request, text)) return fromQuery(new URLSearchParams(text));
  const json = parseBody(text);
  if (!isJsonObject(json)) throw new Refusal('value/unparsable', 'The body must be a JSON object.');
  if (!isWithinDepth(json, MAX_DEPTH))
    throw new Refusal('value/unparsable', `The body is nested in more than ${MAX_DEPTH} levels.`);
  return json;
}

/** Some programs call every body a form. */
export function isForm({ headers }: IncomingMessage, text: string): boolean {
  return FORM.test(headers['content-type'] ?? '') && !text.trimStart().startsWith('{');
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithinDepth(member, levels - 1));
}

/** A name that occurs several times is a list. */
function fromQuery(query: URLSearchParams): JsonObject {
  if (query.size > MAX_MEMBERS)
    throw new Refusal('value/unparsable', `A query or form has at most ${MAX_MEMBERS} members.`);
  const latest = Object.fromEntries(query);
  const names = Object.keys(latest);
  if (names.length === query.size) return latest;
  return Object.fromEntries(names.map((name) => [name, oneOrMore(query.getAll(name))]));
}

function oneOrMore(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : values;
}
