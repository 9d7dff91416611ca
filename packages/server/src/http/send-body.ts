import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { JsonStream } from './json-output.ts';

/** Shorter bodies fit into a packet as they are. */
export const MIN_GZIP_BYTES = 1_400;

/** Fast: a network that is worth the compression at all gains most of it from the first level. */
const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED };

/** Does a client take gzip, by what it says in `Accept-Encoding`? */
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

/** What comes before a body. */
export interface Head {
  readonly status: number;
  /** Those that every answer has, and those of this one. */
  readonly commonHeaders: Headers;
  readonly headers: Headers;
}

type Headers = Readonly<Record<string, string>>;

const compress = promisify(gzip);

/** Types of what is sent as it comes about, and would wait in a compressor. */
const LIVE_TYPES = /^(?:text\/event-stream|application\/x-ndjson)\b/;

const UNZIPPED = { vary: 'Accept-Encoding' };
const ZIPPED = { ...UNZIPPED, 'content-encoding': 'gzip' };

/**
 * Sends a body, compressed if the client takes that, and to `HEAD` what comes before it. A text in parts is read as fast as
 * the client takes it, and no further when the client goes; when it breaks, so does the connection, because nothing else
 * tells the client that the text is not whole.
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
  // Whoever makes parts only now and then would not hear soon that the client has gone.
  const leave = (): void => void parts.return();
  broken?.addEventListener('abort', stop);
  response.once('close', leave);
  try {
    const done = areShared === true ? keep : release;
    if (isZipped) await writeZipped(parts, response, done);
    else await writeParts(parts, response, done);
  } catch (error) {
    stop();
    // Neither a client that goes nor one that takes too long is a failure of the server.
    if (!(error instanceof ClientDisconnected) && broken?.aborted !== true) throw error;
  } finally {
    broken?.removeEventListener('abort', stop);
    response.off('close', leave);
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

/** Writes one part after the other, each once the one before has left and is done with, and ends the target. */
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

/** Leaves a part to the others who send it. */
function keep(): void {}

/** Gives memory back at once, of which the collector would let many times what is in use come together. */
function release(part: Buffer): void {
  // What is smaller may share its memory with others.
  const isAlone = part.length > part.buffer.byteLength / 2;
  if (isAlone && part.buffer instanceof ArrayBuffer) part.buffer.transfer(0);
}

/** The client does not take the rest. */
class ClientDisconnected extends Error {
  constructor(cause: unknown) {
    super('The client has gone.', { cause });
    this.name = 'ClientGone';
  }
}

/** Answers with JSON `{"error": sentence}` on a socket that no HTTP response object stands for, and closes it. */
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
  // The peer may be gone already, and nobody is left to be told.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
