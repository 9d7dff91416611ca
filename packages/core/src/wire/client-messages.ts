import { RequestError } from '../error/request-error.ts';
import { parseJsonText } from '../tree/json-text.ts';
import { PLACEHOLDER, splitLongMessage } from './long-message.ts';

/** Members of a JSON object that a peer sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** A message from a client. */
export type ClientMessage =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'request';
      /** Chosen by the client, counted from 0 or 1. The response carries the same number. */
      readonly id: number;
      readonly action: string;
      /** The data of a long message, in the field `d`, are a `LongJson`. */
      readonly body: Fields;
    }
  /** The client now sends on this connection, and is about to end its transmission on the previous one. */
  | { readonly kind: 'switch' }
  /** The client sends no more messages on this connection. */
  | { readonly kind: 'end-of-transmission' }
  /**
   * A well-formed message of an unknown kind. The server ignores it, so newer clients can send additional
   * kinds.
   */
  | { readonly kind: 'unknown' };

const UNKNOWN: ClientMessage = { kind: 'unknown' };

/** Control messages by the name of their kind. */
const CONTROL_MESSAGES: ReadonlyMap<unknown, ClientMessage> = new Map<unknown, ClientMessage>([
  ['p', { kind: 'ping' }],
  ['a', { kind: 'switch' }],
  ['n', { kind: 'end-of-transmission' }],
]);

/**
 * Parses `{"t":"c"|"d","d":…}`. Throws `request/malformed` when the text is not JSON, has no envelope, or is a request
 * without a non-negative integer `r` or a string `a`. The data of a long message are not checked.
 */
export function parseClientMessage(text: string): ClientMessage {
  const split = splitLongMessage(text);
  if (split === undefined) return parseMessage(text);
  const message = parseMessage(split.envelope);
  // With two members of the same name, the last one counts.
  if (message.kind !== 'request' || message.body['d'] !== PLACEHOLDER) return message;
  return { ...message, body: { ...message.body, d: split.data } };
}

function parseMessage(text: string): ClientMessage {
  const envelope = requireFields(parseJson(text), 'A message must be a JSON object.');
  const payload = envelope['d'];
  switch (envelope['t']) {
    case 'c':
      return (isFields(payload) && CONTROL_MESSAGES.get(payload['t'])) || UNKNOWN;
    case 'd':
      return parseRequest(requireFields(payload, 'A data message must contain an object.'));
    default:
      return UNKNOWN;
  }
}

export function isFields(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function parseRequest(payload: Fields): ClientMessage {
  const id = payload['r'];
  const action = payload['a'];
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    throw new RequestError('request/malformed', 'A request must have an integer "r".');
  if (typeof action !== 'string')
    throw new RequestError('request/malformed', 'A request must have a string "a".');
  const body = payload['b'];
  return { kind: 'request', id, action, body: isFields(body) ? body : {} };
}

function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new RequestError('request/malformed', 'A message must be JSON.', { cause });
  }
}

function requireFields(json: unknown, sentence: string): Fields {
  if (!isFields(json)) throw new RequestError('request/malformed', sentence);
  return json;
}

/**
 * Returns whether a JSON value is nested deeper than `levels` levels. A scalar has no levels; `{}` and `[1]`
 * have one.
 */
export function isNestedDeeperThan(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (levels === 0) return true;
  return Object.values(json).some((member) => isNestedDeeperThan(member, levels - 1));
}
