import type { IncomingMessage } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { Fields, isJsonObject, type JsonObject } from '../../accounts/fields.ts';
import { decodeBody, parseBody } from '../request-body.ts';
import { repeatsMember } from './repeats-member.ts';

/** Deepest nesting of a body, itself counted: what reads it may call itself for each level. */
const MAX_DEPTH = 32;
/** Most members of a query or a form. */
const MAX_MEMBERS = 1_000;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** JSON, whatever it is of, and what programs say that were not told: browsers call every text plain. */
const READABLE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b|^text\/plain\b/i;

/** The members of a request: those of its body, and those of its query that the body lacks. */
export function parseFields(request: IncomingMessage, query: URLSearchParams, body: Buffer): Fields {
  return new Fields({ ...fromQuery(query), ...parseMembers(request, body) });
}

function parseMembers(request: IncomingMessage, bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {};
  mustBeReadable(request);
  const text = decodeBody(bytes);
  if (isForm(request, text)) return fromQuery(new URLSearchParams(text));
  const json = parseBody(text);
  if (!isJsonObject(json)) throw new Refusal('value/unparsable', 'The body must be a JSON object.');
  if (repeatsMember(text, countMembers(json, MAX_DEPTH)))
    throw new Refusal('value/unparsable', 'The body names a member of an object twice.');
  return json;
}

/** Something else may come from a page that cannot choose the type, or from a program that means another address. */
function mustBeReadable({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (type === '' || READABLE.test(type) || FORM.test(type)) return;
  throw new Refusal(
    'value/unparsable',
    'The body must be JSON: say so with "Content-Type: application/json".',
  );
}

/** Some programs call every body a form. */
export function isForm({ headers }: IncomingMessage, text: string): boolean {
  return FORM.test(headers['content-type'] ?? '') && !text.trimStart().startsWith('{');
}

/** The members of all objects in a value. Refuses one of more levels. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0)
    throw new Refusal('value/unparsable', `The body is nested in more than ${MAX_DEPTH} levels.`);
  const items = Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) count += countMembers(item, levels - 1);
  return count;
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
