import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { namespaceOf } from '../realtime/rest/namespace.ts';
import { answerClientError } from './errors.ts';
import { parseRequestTarget } from './request-target.ts';
import { LOCAL_TRANSPORT } from './transport.ts';
import { answerUpgrade, isWebSocketUpgrade } from './websocket-upgrade.ts';

/** A socket that records what is written to it. */
class RecordingSocket extends Duplex {
  text = '';
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function createRequest(url: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  Object.assign(request.headers, headers);
  return request;
}

const logged: string[] = [];
const logger = createLogger('error', { write: (text) => logged.push(text) });
const OPTIONS = {
  allowedHosts: ['db.mine.example'],
  policies: [],
  transport: LOCAL_TRANSPORT,
  blocksCrossOrigin: true,
  logger,
};

/** Returns the database that the upgrade handler receives, or the response. */
async function upgrade(url: string, host: string, isServing = true, more = {}): Promise<string> {
  const socket = new RecordingSocket();
  const taken: string[] = [];
  const upgrades = new Map([
    [
      '/.ws',
      ({ headers, url }: IncomingMessage) => {
        const { query } = parseRequestTarget(url);
        taken.push(namespaceOf(headers.host, query, 'fake-server'));
      },
    ],
  ]);
  const request = createRequest(url, { host, ...more });
  answerUpgrade(request, socket, Buffer.alloc(0), isServing ? upgrades : undefined, OPTIONS);
  if (taken.length === 0) await new Promise((resolve) => socket.once('close', resolve));
  return taken.join() || socket.text;
}

test.each([
  ['/.ws?v=5&ns=Demo', 'localhost:9000', 'demo'],
  ['/.ws?v=5&p=1:123:web:abc', 'localhost', 'fake-server'],
  ['/.ws', 'db.mine.example', 'db'],
])('[H42][H1][H2][H3] the WebSocket %s at %s is for the database %s', async (url, host, namespace) => {
  expect(await upgrade(url, host)).toBe(namespace);
});

test.each([
  ['/.ws?ns=x', 'evil.example', /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*--allow-host evil\.example/],
  ['/.ws?ns=a_b', 'localhost', /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*A database name has/],
  ['/', 'localhost', /^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\n\r\n\{"error":"404 Not Found"\}$/],
  ['/.ws/x', 'localhost', /^HTTP\/1\.1 404 /],
  ['http://localhost/.ws', 'localhost', /^HTTP\/1\.1 400 /],
])('[H41][H42][H4] the WebSocket %s at %s is rejected', async (url, host, answer) => {
  expect(await upgrade(url, host)).toMatch(answer);
});

test('[H522] a WebSocket of a page from another origin is rejected', async () => {
  const ask = (origin: string) => upgrade('/.ws?ns=x', 'localhost', true, { origin });
  expect(await ask('https://evil.example')).toMatch(
    /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*--allow-host evil\.example/,
  );
  expect(await ask('http://localhost:5173')).toBe('x');
});

test('[H40] a WebSocket is rejected before the server serves', async () => {
  expect(await upgrade('/.ws', 'localhost', false)).toMatch(/^HTTP\/1\.1 503 /);
});

test.each([
  ['websocket', true],
  ['WebSocket', true],
  ['h2c', false],
  ['h2c, websocket', false],
])('[H42] the offered protocol %s is accepted: %s', (offer, isTaken) => {
  expect(isWebSocketUpgrade(createRequest('/', { upgrade: offer }))).toBe(isTaken);
});

test.each([
  ['HPE_INVALID_METHOD', '400 Bad Request'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])('[H30] a request that fails with %s is answered with %s', async (code, status) => {
  const socket = new RecordingSocket();
  answerClientError(Object.assign(new Error('unreadable'), { code }), socket);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\nConnection: close\r\n`));
});

test('[H30] a client that has disconnected gets no response', () => {
  const socket = new RecordingSocket();
  answerClientError(Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket);
  expect(socket.destroyed).toBe(true);
  expect(socket.text).toBe('');
});

test('[H54] if an upgrade handler fails, its connection gets a 500 and the error is logged', async () => {
  const socket = new RecordingSocket();
  const fail = () => {
    throw new Error('a bug, on purpose');
  };
  const closed = new Promise((resolve) => socket.once('close', resolve));
  answerUpgrade(
    createRequest('/.ws?v=5&ns=demo', { host: 'localhost' }),
    socket,
    Buffer.alloc(0),
    new Map([['/.ws', fail]]),
    OPTIONS,
  );
  await closed;
  expect(socket.text).toMatch(/^HTTP\/1.1 500 /);
  expect(logged.join()).toContain('a bug, on purpose');
});
