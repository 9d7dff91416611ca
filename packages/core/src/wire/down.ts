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
