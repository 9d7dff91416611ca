import { assert } from '../error/assert.ts';

/** Version of the protocol that both sides use. */
export const PROTOCOL_VERSION = '5';

/**
 * Returns the first message of a connection. `tsMs` is the server's time as an integer. `host` is the address
 * (with port) at which the client can reach this server again. `sessionId` is secret.
 */
export function handshakeMessage(tsMs: number, host: string, sessionId: string): string {
  const body = { ts: tsMs, v: PROTOCOL_VERSION, h: host, s: sessionId };
  return controlMessage('h', JSON.stringify(body));
}

/** Returns the response to a ping. */
export function pongMessage(): string {
  return controlMessage('o', 'null');
}

/**
 * Returns the message that confirms an upgrade: the WebSocket may replace the transport on which the session
 * began.
 */
export function upgradeAcceptedMessage(): string {
  return controlMessage('a', '{}');
}

/** Returns the last message on a transport that another transport replaces. */
export function endOfTransmissionMessage(): string {
  return controlMessage('n', '{}');
}

/** Returns the message that makes the client start over with a new connection to this address. */
export function resetMessage(host: string): string {
  return controlMessage('r', JSON.stringify(host));
}

/** Returns the message that makes the client stop reconnecting, with the reason. */
export function shutdownMessage(reason: string): string {
  return controlMessage('s', JSON.stringify(reason));
}

/**
 * Returns the response to the request `id`. `bodyJson` is an object for a listen and a string for every
 * failure.
 */
export function responseMessage(id: number, status: string, bodyJson: string): string {
  return `{"t":"d","d":{"r":${id},"b":{"s":"${status}","d":${bodyJson}}}}`;
}

/**
 * Returns the message with the new value at `path`. With a tag, the value is the part of the data that a query
 * selects.
 */
export function setPush(path: string, json: string, tag?: number): string {
  return push('d', `"p":${JSON.stringify(path)},"d":${json}${tagField(tag)}`);
}

/**
 * Returns the message with the new values at paths relative to `path`. `json` is a non-empty object from those
 * paths to values.
 */
export function mergePush(path: string, json: string, tag?: number): string {
  return push('m', `"p":${JSON.stringify(path)},"d":${json}${tagField(tag)}`);
}

/**
 * Returns the message that ends a listen because its client may no longer read the path. `queryJson` is the
 * query as the client sent it.
 */
export function listenRevokedPush(path: string, queryJson?: string): string {
  return push('c', `"p":${JSON.stringify(path)}${queryJson === undefined ? '' : `,"q":[${queryJson}]`}`);
}

/**
 * Returns the message that asks the client for a new credential, because the current one is no longer valid.
 * The listens of the client continue after that.
 */
export function credentialRevokedPush(reason: string): string {
  return push('ac', `"s":"expired_token","d":${JSON.stringify(reason)}`);
}

/** Returns the message that asks the client for a new App Check token. A client that gets it three times warns its developer. */
export function appCheckRevokedPush(reason: string): string {
  return push('apc', `"s":"invalid_token","d":${JSON.stringify(reason)}`);
}

function push(action: string, bodyFields: string): string {
  return `{"t":"d","d":{"a":"${action}","b":{${bodyFields}}}}`;
}

function controlMessage(kind: string, bodyJson: string): string {
  return `{"t":"c","d":{"t":"${kind}","d":${bodyJson}}}`;
}

function tagField(tag: number | undefined): string {
  return tag === undefined ? '' : `,"t":${tag}`;
}

/** The content of a `setPush` or `mergePush` message, without the tag that identifies its recipient. */
export interface DataPush {
  /**
   * `set` replaces the value at `path`. `merge` replaces the values at the relative paths that are the member
   * names of the object.
   */
  readonly kind: 'set' | 'merge';
  /** Without a leading slash. */
  readonly path: string;
  /** In export form. */
  readonly json: string;
}

const SET_PREFIX = '{"t":"d","d":{"a":"d","b":{"p":';
const MERGE_PREFIX = '{"t":"d","d":{"a":"m","b":{"p":';
const DATA_FIELD = ',"d":';
const PUSH_SUFFIX = '}}}';

/** The tag of a push. No JSON text ends in this form, so it cannot be confused with the end of the data. */
const TAG_SUFFIX = /,"t":[0-9]+$/;
const MAX_TAG_UNITS = 30;

/** Parses a message from `setPush` or `mergePush` without parsing its data. */
export function parsePush(text: string): DataPush {
  const isSet = text.startsWith(SET_PREFIX);
  assert(isSet || text.startsWith(MERGE_PREFIX), 'the message is not a data push');
  const pathEnd = endOfString(text, SET_PREFIX.length);
  const path: unknown = JSON.parse(text.slice(SET_PREFIX.length, pathEnd));
  assert(typeof path === 'string' && text.startsWith(DATA_FIELD, pathEnd), 'the push has no path');
  const end = text.length - PUSH_SUFFIX.length;
  const tag = TAG_SUFFIX.exec(text.slice(Math.max(pathEnd, end - MAX_TAG_UNITS), end))?.[0] ?? '';
  const json = text.slice(pathEnd + DATA_FIELD.length, end - tag.length);
  return { kind: isSet ? 'set' : 'merge', path, json };
}

/** Returns the index after the JSON string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
