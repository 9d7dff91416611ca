import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as openRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonStream } from './json-output.ts';
import { mapJson } from './json-output.ts';
import { MIN_GZIP_BYTES, sendBody } from './send-body.ts';

const HEAD = {
  commonHeaders: {},
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
};

let server: Server;
/** The body that the server sends, and the result of sending it. */
let body: JsonStream;
let sent: Promise<void>;

beforeEach(async () => {
  server = createServer((request, response) => {
    sent = sendBody(request, response, HEAD, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function portOf({ port }: AddressInfo = server.address() as AddressInfo): number {
  return port;
}

/** A text of `count` numbered parts of 64 KB. Counts the generated parts. */
class Parts {
  made = 0;
  isReturned = false;
  readonly broken = new AbortController();
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  get json(): JsonStream {
    return { kind: 'parts', parts: this.#make(), broken: this.broken.signal };
  }

  expectedText(): string {
    return Array.from({ length: this.#count }, (_, index) => pieceOf(index)).join('');
  }

  async *#make(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (; this.made < this.#count; this.made += 1) {
        this.broken.signal.throwIfAborted();
        yield Buffer.from(pieceOf(this.made));
      }
    } finally {
      this.isReturned = true;
    }
  }
}

function pieceOf(index: number): string {
  return `${index} `.repeat(40_000).slice(0, 65_536);
}

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Returns the response. Rejects if it ends before it is complete. */
async function get(headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Reply> {
  const request = openRequest({ port: portOf(), host: '127.0.0.1', headers, method, agent: false });
  request.end();
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

test('[H61] a text in one piece has a length, and a long text is compressed if the client accepts gzip', async () => {
  const bytes = Buffer.from(`"${'x'.repeat(MIN_GZIP_BYTES)}"`);
  body = { kind: 'whole', bytes };
  const plain = await get();
  expect(plain.headers).toMatchObject({ 'content-length': String(bytes.length), vary: 'Accept-Encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toEqual(bytes);
  const zipped = await get({ 'accept-encoding': 'br, gzip;q=0.5' });
  expect(zipped.headers).toMatchObject({
    'content-length': String(zipped.body.length),
    'content-encoding': 'gzip',
  });
  expect(gunzipSync(zipped.body)).toEqual(bytes);
  body = { kind: 'whole', bytes: Buffer.from('1') };
  expect((await get({ 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
});

test.each([
  ['gzip', true],
  ['deflate, *', true],
  ['GZIP; q=1', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['identity', false],
])('[H61] with the header "Accept-Encoding: %s", a body is compressed: %s', async (header, isZipped) => {
  body = { kind: 'whole', bytes: Buffer.alloc(MIN_GZIP_BYTES, '1') };
  expect((await get({ 'accept-encoding': header })).headers['content-encoding'] === 'gzip').toBe(isZipped);
});

test.each([{}, { 'accept-encoding': 'gzip' }])(
  '[H62] a text in parts arrives completely (%j)',
  async (headers) => {
    const parts = new Parts(40);
    body = parts.json;
    const reply = await get(headers);
    expect(reply.headers['transfer-encoding']).toBe('chunked');
    const bytes = reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.body) : reply.body;
    expect(bytes.toString() === parts.expectedText()).toBe(true);
    await sent;
  },
);

test('[H62] HEAD is answered without generating the text, and the generator of the text is ended', async () => {
  const parts = new Parts(40);
  const ended: string[] = [];
  const json = parts.json;
  if (json.kind === 'parts') {
    const { parts: inner } = json;
    const end = inner.return.bind(inner);
    inner.return = (value) => {
      ended.push('inner');
      return end(value);
    };
  }
  body = mapJson(json, {
    whole: (bytes) => bytes,
    async *parts(inner) {
      yield* inner;
    },
  });
  expect((await get({}, 'HEAD')).body).toHaveLength(0);
  await sent;
  expect(parts.made).toBe(0);
  expect(ended).toEqual(['inner']);
});

test.each([{}, { 'accept-encoding': 'gzip' }])(
  '[H63] a text that fails midway breaks the connection (%j)',
  async (headers) => {
    const parts = new Parts(400);
    const { json } = parts;
    body = mapJson(json, {
      whole: (bytes) => bytes,
      async *parts(inner) {
        let count = 0;
        for await (const part of inner) {
          count += 1;
          if (count === 20) parts.broken.abort(new Error('on purpose'));
          yield part;
        }
      },
    });
    await expect(get(headers)).rejects.toThrow();
    await sent;
    expect(parts.isReturned).toBe(true);
  },
);

test('[H64] the server stops generating for a client that reads nothing, and disconnects it when the text fails', async () => {
  const parts = new Parts(100_000);
  body = parts.json;
  const socket = connect(portOf(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(server, 'request');
  expect(await untilSteady(() => parts.made)).toBeLessThan(2_000);
  parts.broken.abort(new Error('it takes too long'));
  await sent;
  expect(parts.isReturned).toBe(true);
  expect(parts.made).toBeLessThan(2_000);
  socket.destroy();
});

test('[H64] the server stops generating when the client disconnects', async () => {
  const parts = new Parts(100_000);
  body = parts.json;
  const socket = connect(portOf(), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await sent;
  expect(parts.isReturned).toBe(true);
  expect(parts.made).toBeLessThan(100_000);
});

/** Waits until a number has not changed for 200 iterations of the event loop. */
async function untilSteady(read: () => number): Promise<number> {
  let last = -1;
  for (let same = 0; same < 200; ) {
    await new Promise(setImmediate);
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
