import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { JsonStream } from './json-output.ts';

/** Minimum length of a compressed body, in bytes. A shorter body fits into one packet without compression. */
export const MIN_GZIP_BYTES = 1_400;

/** Fast compression: where a network benefits from compression, the first level gives most of the benefit. */
const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED };

/** Returns whether a client accepts gzip, according to its `Accept-Encoding` header. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item): [string, number] => {
        const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((part) => part.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The status and the headers that precede a body. */
export interface Head {
  readonly status: number;
  /** Headers of every response; `headers` are those of this response. */
  readonly commonHeaders: Headers;
  readonly headers: Headers;
}

type Headers = Readonly<Record<string, string>>;

const compress = promisify(gzip);

/**
 * Content types that are sent while they are generated. They are not compressed, because a compressor would
 * hold them back.
 */
const LIVE_TYPES = /^(?:text\/event-stream|application\/x-ndjson)\b/;

const UNZIPPED = { vary: 'Accept-Encoding' };
const ZIPPED = { ...UNZIPPED, 'content-encoding': 'gzip' };

/**
 * Sends a body, compressed if the client accepts gzip. For `HEAD`, sends only what precedes the body. A text in
 * parts is generated as fast as the client takes it, and no further when the client disconnects. If the text
 * is interrupted, the server closes the connection, because nothing else shows the client that the text is
 * incomplete.
 */
export async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  { status, commonHeaders, headers }: Head,
  body: JsonStream,
): Promise<void> {
  const isZipped =
    !LIVE_TYPES.test(headers['content-type'] ?? '') &&
    (body.kind === 'parts' || body.bytes.length >= MIN_GZIP_BYTES) &&
    acceptsGzip(request.headers['accept-encoding']);
  const coding = isZipped ? ZIPPED : UNZIPPED;
  if (body.kind === 'parts') {
    response.writeHead(status, { ...commonHeaders, ...headers, ...coding });
    await sendParts(request, response, body, isZipped);
    return;
  }
  const bytes = isZipped ? await compress(body.bytes, GZIP_OPTIONS) : body.bytes;
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    ...coding,
    'content-length': String(bytes.length),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function sendParts(
  request: IncomingMessage,
  response: ServerResponse,
  { parts, broken, areShared }: JsonStream & { readonly kind: 'parts' },
  isZipped: boolean,
): Promise<void> {
  if (request.method === 'HEAD') {
    await parts.return();
    response.end();
    return;
  }
  const stop = (): void => {
    response.destroy();
  };
  // A generator that produces parts only rarely would otherwise learn late that the client has disconnected.
  const endParts = (): void => void parts.return();
  broken?.addEventListener('abort', stop);
  response.once('close', endParts);
  try {
    const done = areShared === true ? leaveShared : release;
    if (isZipped) await writeZipped(parts, response, done);
    else await writeParts(parts, response, done);
  } catch (error) {
    stop();
    // A client that disconnects or takes too long is not a failure of the server.
    if (!(error instanceof ClientDisconnected) && broken?.aborted !== true) throw error;
  } finally {
    broken?.removeEventListener('abort', stop);
    response.off('close', endParts);
    await parts.return();
  }
}

async function writeZipped(
  parts: AsyncIterable<Buffer>,
  response: ServerResponse,
  done: (part: Buffer) => void,
): Promise<void> {
  const zip = createGzip(GZIP_OPTIONS);
  const whole = pipeline(zip, response).catch((cause: unknown) => {
    throw new ClientDisconnected(cause);
  });
  try {
    await Promise.all([writeParts(parts, zip, done), whole]);
  } finally {
    zip.destroy();
  }
}

/**
 * Writes the parts one after the other and ends the target. Each part is written after the previous one has
 * been sent and passed to `done`.
 */
async function writeParts(
  parts: AsyncIterable<Buffer>,
  target: Writable,
  done: (part: Buffer) => void,
): Promise<void> {
  for await (const part of parts) {
    await writePart(target, part);
    done(part);
  }
  target.end();
}

function writePart(target: Writable, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(part, (error) => (error ? reject(new ClientDisconnected(error)) : resolve()));
  });
}

/** Does nothing, because other connections send the same part. */
function leaveShared(): void {}

/**
 * Frees the memory of a part immediately. The garbage collector would let many times the memory in use
 * accumulate.
 */
function release(part: Buffer): void {
  // A smaller part may share its memory with other buffers.
  const ownsMemory = part.length > part.buffer.byteLength / 2;
  if (ownsMemory && part.buffer instanceof ArrayBuffer) part.buffer.transfer(0);
}

/** Thrown when the client does not take the rest of a response. */
class ClientDisconnected extends Error {
  constructor(cause: unknown) {
    super('The client has disconnected.', { cause });
    this.name = 'ClientDisconnected';
  }
}

/** Sends JSON `{"error": sentence}` on a socket that has no HTTP response object, and closes the socket. */
export function endWithError(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-cache',
  ];
  // The peer may have disconnected already. Then nothing can receive the error.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
