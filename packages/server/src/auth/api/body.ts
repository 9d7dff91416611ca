import type { IncomingMessage } from 'node:http';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { BodyBudget } from '../../http/body-budget.ts';
import { bodyOf, decodeBody, parseBody, readBodyBytes, takeArrivedBody } from '../../http/request-body.ts';
import { Fields, isJsonObject, type JsonObject } from '../fields.ts';

/**
 * Lets the requests of one iteration of the event loop continue together, once the server has read the heads of all of
 * them. The server then answers them in one batch. This is faster: a client or proxy with many connections wakes up
 * once for many responses.
 */
class RequestBatcher {
  #opening: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#opening ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#opening = undefined;
        resolve();
      });
    });
    return this.#opening;
  }
}

/** Maximum time from the head of a request to the end of its body, in ms. */
const DEADLINE_MS = 30_000;

export interface AuthApiBodiesOptions {
  /** The memory budget that all requests of the port share. */
  readonly budget: BodyBudget;
  /** `DEADLINE_MS` if absent. */
  readonly deadlineMs?: number;
}

/** Reads the bodies of requests to the Auth API within the memory budget. */
export class AuthApiBodies {
  readonly #budget: BodyBudget;
  readonly #deadlineMs: number;
  readonly #gate = new RequestBatcher();

  constructor({ budget, deadlineMs = DEADLINE_MS }: AuthApiBodiesOptions) {
    this.#budget = budget;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Reads a body. Throws `request/too-big` if the body is longer than `maxBytes`, and `request/malformed` if the
   * client disconnects early. Closes the connection if the body arrives too slowly, or if the memory budget is
   * needed for other bodies; clients treat this as a network failure. Calls `beforeWaiting`, which may throw, unless
   * the body arrived together with its head.
   */
  async read(
    request: IncomingMessage,
    maxBytes: number,
    beforeWaiting: () => void = () => undefined,
  ): Promise<Buffer> {
    // Node delivers the head first, and then the part of the body that arrived with it.
    await this.#gate.wait();
    const arrived = takeArrivedBody(bodyOf(request), maxBytes);
    if (arrived !== undefined) return arrived;
    beforeWaiting();
    // Checked before a listener is added: with a listener, Node would no longer discard the body of a rejected
    // request, and the connection would stall.
    if ((bodyOf(request).announcedBytes ?? 0) > maxBytes) throw new RequestError('request/too-big');
    return this.#readStream(request, maxBytes);
  }

  async #readStream(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    // A destroyed request emits no more events.
    if (request.destroyed)
      throw new RequestError('request/malformed', 'The connection ended before the body was complete.');
    const end = (): void => void request.destroy();
    const deadline = setTimeout(end, this.#deadlineMs);
    const takeBudget = this.#budget.of(request, false);
    try {
      return await readBodyBytes(
        bodyOf(request, null, (evict) =>
          takeBudget(() => {
            evict();
            end();
          }),
        ),
        maxBytes,
      );
    } catch (error) {
      if (error instanceof RequestError && error.code === 'request/overload') end();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
  }
}

/**
 * Returns whether an object in a JSON text has duplicate members. Some programs would use the first, others the last.
 * `members` is the number of members in the parsed value.
 */
export function repeatsMember(text: string, members: number): boolean {
  return countNames(text) !== members;
}

/** Counts the strings of a JSON text that are followed by a colon. */
function countNames(text: string): number {
  let names = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfString(text, open);
    let next = close + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text[next] === ':') names++;
    open = text.indexOf('"', close + 1);
  }
  return names;
}

/** Returns the index of the quote that ends the string starting at `open`. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

/** Returns whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

/** Returns whether a character code is one of the four whitespace characters of JSON. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Maximum number of levels of a body, including the body itself: code that reads a body may recurse once per level. */
const MAX_DEPTH = 32;
/** Maximum number of members of a query or a form. */
const MAX_MEMBERS = 1_000;
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Content types of JSON, and `text/plain`, which browsers send for text by default. */
const READABLE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b|^text\/plain\b/i;

/**
 * Parses the members of a request: those of its body, and those of its query that the body lacks. Throws
 * `value/unparsable`.
 */
export function parseFields(request: IncomingMessage, query: URLSearchParams, body: Buffer): Fields {
  return new Fields({ ...fromQuery(query), ...parseMembers(request, body) });
}

function parseMembers(request: IncomingMessage, bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {};
  requireReadable(request);
  const text = decodeBody(bytes);
  if (isForm(request, text)) return fromQuery(new URLSearchParams(text));
  const json = parseBody(text);
  if (!isJsonObject(json)) throw new RequestError('value/unparsable', 'The body must be a JSON object.');
  if (repeatsMember(text, countMembers(json, MAX_DEPTH)))
    throw new RequestError('value/unparsable', 'An object in the body has the same member twice.');
  return json;
}

/**
 * Throws `value/unparsable` if the content type is neither JSON, nor text, nor a form. Such a request may come from
 * a page that cannot set the type, or from a program that uses the wrong URL.
 */
function requireReadable({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (type === '' || READABLE.test(type) || FORM.test(type)) return;
  throw new RequestError(
    'value/unparsable',
    'The body must be JSON: send the header "Content-Type: application/json".',
  );
}

/** Returns whether the body is a form. Some programs label JSON as a form, so a text that starts with `{` is not a form. */
export function isForm({ headers }: IncomingMessage, text: string): boolean {
  return FORM.test(headers['content-type'] ?? '') && !text.trimStart().startsWith('{');
}

/** Counts the members of all objects in a value. Throws for a value with more levels than `levels`. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0)
    throw new RequestError(
      'value/unparsable',
      `The body has more than ${MAX_DEPTH} levels of objects and lists.`,
    );
  const items = Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) count += countMembers(item, levels - 1);
  return count;
}

/** Returns the members of a query or form. The value of a name that occurs several times is a list. */
function fromQuery(query: URLSearchParams): JsonObject {
  if (query.size > MAX_MEMBERS)
    throw new RequestError('value/unparsable', `A query or form must have at most ${MAX_MEMBERS} members.`);
  const latest = Object.fromEntries(query);
  const names = Object.keys(latest);
  if (names.length === query.size) return latest;
  return Object.fromEntries(names.map((name) => [name, oneOrMore(query.getAll(name))]));
}

function oneOrMore(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : values;
}
