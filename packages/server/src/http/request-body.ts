import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { TakeBudget } from './body-budget.ts';

/** The body of a request. It is read at most once. */
export interface RequestBody {
  /** The bytes as they arrive. The stream ends early, with an error, if the client disconnects. */
  readonly stream: Readable;
  /** Length in bytes as the client states it; `null` if the client does not state it. */
  readonly announcedBytes: number | null;
  /**
   * Rejects if the sender of the body is no longer authorized. Called when the server had to wait for the
   * body, because permissions may have been revoked in the meantime. `null` for senders without permissions
   * to lose.
   */
  readonly recheckAccess: RecheckAccess | null;
  /** Opens a lease of the memory budget for incomplete bodies; `null` for short bodies. */
  readonly takeBudget: TakeBudget | null;
}

type RecheckAccess = () => Promise<unknown>;

/** The result of reading a body up to a maximum length. */
export type BufferedBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** The body is longer than the maximum. `chunks` are all its bytes, from the first one on. */
  | { readonly kind: 'long'; readonly chunks: AsyncIterable<Buffer> };

/** Longest time without a new byte while the server waits for a body, in ms. */
const MAX_PAUSE_MS = 30_000;

const NOTHING = Buffer.alloc(0);
const HEAD_DONE = Promise.resolve();
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body up to a maximum length. Checks the sender's authorization again if the body did not arrive
 * with its head.
 */
export function bufferBody(body: RequestBody, maxBytes: number): Promise<BufferedBody> {
  const { recheckAccess } = body;
  return recheckAccess === null ? bufferUpTo(body, maxBytes) : bufferRechecked(body, maxBytes, recheckAccess);
}

async function bufferRechecked(
  body: RequestBody,
  maxBytes: number,
  recheckAccess: RecheckAccess,
): Promise<BufferedBody> {
  let hasWaited = false;
  const iterationEnd = setImmediate(() => {
    hasWaited = true;
  });
  const buffered = await bufferUpTo(body, maxBytes);
  clearImmediate(iterationEnd);
  if (buffered.kind === 'long') return { kind: 'long', chunks: recheckEach(buffered.chunks, recheckAccess) };
  if (hasWaited) await recheckAccess();
  return buffered;
}

/**
 * Returns the bytes of a body as they arrive. The iteration fails when the sender is no longer authorized.
 */
export function streamBody({ stream, recheckAccess }: RequestBody): AsyncIterable<Buffer> {
  return recheckAccess === null ? chunksOf(stream) : recheckEach(chunksOf(stream), recheckAccess);
}

/**
 * Yields the chunks, and checks the sender's authorization before each one. The consumer may act on the first
 * chunk before the last one arrives.
 */
async function* recheckEach(
  chunks: AsyncIterable<Buffer>,
  recheckAccess: RecheckAccess,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    await recheckAccess();
    yield chunk;
  }
}

/**
 * Returns a body that has fully arrived, without waiting for stream events. Most bodies have arrived once
 * Node has delivered what came with the head. Returns `undefined` for other bodies and for bodies of more
 * than `maxBytes`.
 */
export function takeArrivedBody(
  { stream, announcedBytes }: RequestBody,
  maxBytes: number,
): Buffer | undefined {
  const isWhole = stream.readableLength === announcedBytes && announcedBytes <= maxBytes;
  const bytes: unknown = isWhole ? stream.read() : undefined;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}

async function bufferUpTo(body: RequestBody, maxBytes: number): Promise<BufferedBody> {
  const { stream, announcedBytes } = body;
  if (announcedBytes === 0) return { kind: 'whole', bytes: NOTHING };
  if (announcedBytes !== null && announcedBytes > maxBytes) return { kind: 'long', chunks: chunksOf(stream) };
  // Node delivers the head first, and then the bytes of the body that arrived with the head.
  await HEAD_DONE;
  const arrived = takeArrivedBody(body, maxBytes);
  if (arrived !== undefined) return { kind: 'whole', bytes: arrived };
  // A destroyed request emits no more events.
  if (stream.destroyed) throw bodyInterrupted();
  return await listen(body, maxBytes);
}

function bodyInterrupted(): RequestError {
  return new RequestError('request/malformed', 'The request body ended early.');
}

/**
 * Reads a body through stream events. An async iterator takes extra iterations of the event loop for each
 * body, and requests that become ready in different iterations do not share a transaction.
 */
function listen({ stream, takeBudget }: RequestBody, maxBytes: number): Promise<BufferedBody> {
  return new Promise((resolve, reject) => {
    const buffered: Buffer[] = [];
    let bytes = 0;
    const pause = setTimeout(() => stream.destroy(), MAX_PAUSE_MS);
    const stop = (): void => {
      clearTimeout(pause);
      lease?.release();
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    const fail = (): void => {
      stop();
      reject(new RequestError('request/overload'));
    };
    const lease = takeBudget?.(fail);
    const onData = (chunk: Buffer): void => {
      if (lease?.grow(chunk.length) === false) {
        fail();
        return;
      }
      pause.refresh();
      buffered.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      stream.pause();
      stop();
      resolve({ kind: 'long', chunks: joinChunks(buffered, chunksOf(stream)) });
    };
    const onEnd = (): void => {
      stop();
      resolve({
        kind: 'whole',
        bytes: buffered.length === 1 ? (buffered[0] ?? NOTHING) : Buffer.concat(buffered),
      });
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(bodyInterrupted());
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/**
 * Returns the chunks of a stream. A consumer that stops early does not destroy the stream, because the client
 * still has to get a response.
 */
function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false });
}

/**
 * Discards the rest of a body after the request is answered. Otherwise, a client that reads nothing until it
 * has sent everything would never see the response. All readers of the body must have stopped.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.removeAllListeners('readable');
  request.resume();
}

async function* joinChunks(buffered: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* buffered;
  yield* rest;
}

/** Returns the bytes of a body. Rejects with `request/too-big` if there are more than `maxBytes`. */
export async function readBodyBytes(body: RequestBody, maxBytes: number): Promise<Buffer> {
  const buffered = await bufferBody(body, maxBytes);
  if (buffered.kind === 'long') throw new RequestError('request/too-big');
  return buffered.bytes;
}

/**
 * Returns the text of a body. Rejects with `request/too-big` if it has more than `maxBytes`, with
 * `value/missing` if it is empty, and with `value/unparsable` if it is not UTF-8.
 */
export async function readBodyText(body: RequestBody, maxBytes: number): Promise<string> {
  return decodeBody(await readBodyBytes(body, maxBytes));
}

/**
 * Returns the text of a body, without byte order mark. Throws `value/missing` if the body is empty, and
 * `value/unparsable` if it is not UTF-8.
 */
export function decodeBody(bytes: Buffer): string {
  if (bytes.length === 0) throw new RequestError('value/missing');
  // The decoder takes several times as long to find out that the bytes are ASCII.
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new RequestError('value/unparsable', undefined, { cause });
  }
}

/**
 * Parses the JSON of a body, whatever its content type is. Throws `value/missing` if the text is blank, and
 * `value/unparsable` if it is not JSON.
 */
export function parseBody(text: string): unknown {
  if (text.trim() === '') throw new RequestError('value/missing');
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError)
      throw new RequestError('value/unparsable', undefined, { cause });
    throw cause;
  }
}

/** Returns the body of a Node request. */
export function bodyOf(
  request: IncomingMessage,
  recheckAccess: RecheckAccess | null = null,
  takeBudget: TakeBudget | null = null,
): RequestBody {
  const announced = request.headers['content-length'];
  const announcedBytes = announced === undefined ? null : Number(announced);
  return { stream: request, announcedBytes, recheckAccess, takeBudget };
}
