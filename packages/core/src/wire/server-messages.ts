import { assert } from '../error/assert.ts';

/** Version of the protocol that both sides speak. */
export const PROTOCOL_VERSION = '5';

/**
 * The first message of a connection. `tsMs` is the server's time as an integer; `host` is an address (with port)
 * at which the client reaches this server again; `sessionId` is secret.
 */
export function handshakeMessage(tsMs: number, host: string, sessionId: string): string {
  const body = { ts: tsMs, v: PROTOCOL_VERSION, h: host, s: sessionId };
  return controlMessage('h', JSON.stringify(body));
}

/** Answer to a ping. */
export function pongMessage(): string {
  return controlMessage('o', 'null');
}

/** The WebSocket may take over from the transport on which the session began. */
export function upgradeAcceptedMessage(): string {
  return controlMessage('a', '{}');
}

/** The last message on a transport from which another takes over. */
export function endOfTransmissionMessage(): string {
  return controlMessage('n', '{}');
}

/** Tells the client to begin anew at this address. */
export function resetMessage(host: string): string {
  return controlMessage('r', JSON.stringify(host));
}

/** Tells the client why it must never come back. */
export function shutdownMessage(reason: string): string {
  return controlMessage('s', JSON.stringify(reason));
}

/** Answer to the request `id`; `bodyJson` is an object for a listen, a string for every failure. */
export function responseMessage(id: number, status: string, bodyJson: string): string {
  return `{"t":"d","d":{"r":${id},"b":{"s":"${status}","d":${bodyJson}}}}`;
}

/** The value at `path` is now this; with a tag when it is the part that a query shows. */
export function setPush(path: string, json: string, tag?: number): string {
  return push('d', `"p":${JSON.stringify(path)},"d":${json}${tagField(tag)}`);
}

/** The values at these paths relative to `path` are now those; `json` is a non-empty object. */
export function mergePush(path: string, json: string, tag?: number): string {
  return push('m', `"p":${JSON.stringify(path)},"d":${json}${tagField(tag)}`);
}

/** The listen is over: its client may no longer read. `queryJson` is the query as the client sent it. */
export function listenRevokedPush(path: string, queryJson?: string): string {
  return push('c', `"p":${JSON.stringify(path)}${queryJson === undefined ? '' : `,"q":[${queryJson}]`}`);
}

/** The credential of the client counts no more: it is to come back with another. Its listens go on then. */
export function credentialRevokedPush(reason: string): string {
  return push('ac', `"s":"expired_token","d":${JSON.stringify(reason)}`);
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

/** What a push of `setPush` or `mergePush` says, apart from the tag that tells who it is for. */
export interface Push {
  /** `set` replaces the value at `path`; `merge` those at the paths relative to it that are the members of an object. */
  readonly kind: 'set' | 'merge';
  /** Without leading slash. */
  readonly path: string;
  /** In export form. */
  readonly json: string;
}

const SET = '{"t":"d","d":{"a":"d","b":{"p":';
const MERGE = '{"t":"d","d":{"a":"m","b":{"p":';
const BETWEEN = ',"d":';
const END = '}}}';

/** The tag of a push. No JSON text ends like this, so it is not taken for the end of the data. */
const TAG = /,"t":[0-9]+$/;
const MAX_TAG_UNITS = 30;

/** Takes apart what `setPush` and `mergePush` made, without reading the data. */
export function parsePush(text: string): Push {
  const isSet = text.startsWith(SET);
  assert(isSet || text.startsWith(MERGE), 'a message is no push of data');
  const pathEnd = endOfString(text, SET.length);
  const path: unknown = JSON.parse(text.slice(SET.length, pathEnd));
  assert(typeof path === 'string' && text.startsWith(BETWEEN, pathEnd), 'a push has no path');
  const end = text.length - END.length;
  const tag = TAG.exec(text.slice(Math.max(pathEnd, end - MAX_TAG_UNITS), end))?.[0] ?? '';
  const json = text.slice(pathEnd + BETWEEN.length, end - tag.length);
  return { kind: isSet ? 'set' : 'merge', path, json };
}

/** Where the JSON string that starts at `start` ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
