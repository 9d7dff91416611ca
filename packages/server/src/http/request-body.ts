import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { BodyBudget } from './body-budget.ts';

/** The body of a request, read at most once. */
export interface RequestBody {
  /** Its bytes as they come. Ends early, with an error, when the client goes away. */
  readonly stream: Readable;
  /** Its length in bytes, if the client has said it. */
  readonly announcedBytes: number | null;
  /**
   * Rejects when whoever sends the body may no more. It is asked when a body has come that was waited for, because rights may
   * have been taken back meanwhile. `null` for senders who have none to lose.
   */
  readonly admitAgain: AdmitAgain | null;
  /** Where what has come of it is held until the rest has; `null` for bodies that are short. */
  readonly room: BodyBudget | null;
}

type AdmitAgain = () => Promise<unknown>;

/** What has come of a body: all of it, or more than was to be held. */
export type HeldBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** Everything that came and is to come, from the first byte on. */
  | { readonly kind: 'long'; readonly chunks: AsyncIterable<Buffer> };

/** Longest time in which nothing comes of a body that is waited for. */
const MAX_PAUSE_MS = 30_000;

const NOTHING = Buffer.alloc(0);
const HEAD_DONE = Promise.resolve();
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body up to a length. What has not come with its head is asked for once more whether it may count. */
export function holdBody(body: RequestBody, maxBytes: number): Promise<HeldBody> {
  const { admitAgain } = body;
  return admitAgain === null ? hold(body, maxBytes) : holdAdmitted(body, maxBytes, admitAgain);
}

async function holdAdmitted(body: RequestBody, maxBytes: number, admitAgain: AdmitAgain): Promise<HeldBody> {
  let hasWaited = false;
  const batchEnd = setImmediate(() => {
    hasWaited = true;
  });
  const held = await hold(body, maxBytes);
  clearImmediate(batchEnd);
  if (held.kind === 'long') return { kind: 'long', chunks: admitEach(held.chunks, admitAgain) };
  if (hasWaited) await admitAgain();
  return held;
}

/** The bytes of a body as they come. They break off where they may not count any more. */
export function streamBody({ stream, admitAgain }: RequestBody): AsyncIterable<Buffer> {
  return admitAgain === null ? chunksOf(stream) : admitEach(chunksOf(stream), admitAgain);
}

/** Asks before each of them, because what reads them may act on the first before the last has come. */
async function* admitEach(
  chunks: AsyncIterable<Buffer>,
  admitAgain: AdmitAgain,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    await admitAgain();
    yield chunk;
  }
}

/**
 * A body that is there as a whole, as most are once the platform has handed over what came with the head: nobody needs to
 * listen for it.
 */
export function takeAtHand({ stream, announcedBytes }: RequestBody, maxBytes: number): Buffer | undefined {
  const isWhole = stream.readableLength === announcedBytes && announcedBytes <= maxBytes;
  const bytes: unknown = isWhole ? stream.read() : undefined;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}

async function hold(body: RequestBody, maxBytes: number): Promise<HeldBody> {
  const { stream, announcedBytes } = body;
  if (announcedBytes === 0) return { kind: 'whole', bytes: NOTHING };
  if (announcedBytes !== null && announcedBytes > maxBytes) return { kind: 'long', chunks: chunksOf(stream) };
  // Node delivers the head first, and then what arrived with it.
  await HEAD_DONE;
  const atHand = takeAtHand(body, maxBytes);
  if (atHand !== undefined) return { kind: 'whole', bytes: atHand };
  // A destroyed request emits no more events.
  if (stream.destroyed) throw brokenOff();
  return await listen(body, maxBytes);
}

function brokenOff(): RequestError {
  return new RequestError('request/malformed', 'The body of the request broke off.');
}

/**
 * Listens to the events of a body, because an iterator takes turns of the event loop for every body,
 * and requests that are decided in different turns are not made durable together.
 */
function listen({ stream, room }: RequestBody, maxBytes: number): Promise<HeldBody> {
  return new Promise((resolve, reject) => {
    const held: Buffer[] = [];
    let bytes = 0;
    const pause = setTimeout(() => stream.destroy(), MAX_PAUSE_MS);
    const stop = (): void => {
      clearTimeout(pause);
      room?.giveBack(bytes);
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      if (room?.take(chunk.length) === false) {
        stop();
        reject(new RequestError('request/overload'));
        return;
      }
      pause.refresh();
      held.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      stream.pause();
      stop();
      resolve({ kind: 'long', chunks: joinChunks(held, chunksOf(stream)) });
    };
    const onEnd = (): void => {
      stop();
      resolve({ kind: 'whole', bytes: held.length === 1 ? (held[0] ?? NOTHING) : Buffer.concat(held) });
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(brokenOff());
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** The chunks of a stream, which whoever stops reading them leaves as it is: the client is still to be answered. */
function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false });
}

/**
 * Takes and forgets what is left of a body, once the request is answered: a client that reads nothing before it has sent all
 * would never see the answer. Whoever has begun to read it must have stopped.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.removeAllListeners('readable');
  request.resume();
}

async function* joinChunks(held: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* held;
  yield* rest;
}

/** The bytes of a body. Refuses one of more bytes. */
export async function readBodyBytes(body: RequestBody, maxBytes: number): Promise<Buffer> {
  const held = await holdBody(body, maxBytes);
  if (held.kind === 'long') throw new RequestError('request/too-big');
  return held.bytes;
}

/** The text of a body. Refuses one of more bytes, an empty one, and bytes that are not UTF-8. */
export async function readBodyText(body: RequestBody, maxBytes: number): Promise<string> {
  return decodeBody(await readBodyBytes(body, maxBytes));
}

/** The text of a body, without byte order mark. Refuses an empty one and bytes that are not UTF-8. */
export function decodeBody(bytes: Buffer): string {
  if (bytes.length === 0) throw new RequestError('value/missing');
  // The decoder takes several times as long to find out that nothing is to be decoded.
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new RequestError('value/unparsable', undefined, { cause });
  }
}

/** Reads the JSON of a body, whatever content type it claims to have. */
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

/** The body of a request of the platform. */
export function bodyOf(
  request: IncomingMessage,
  admitAgain: AdmitAgain | null = null,
  room: BodyBudget | null = null,
): RequestBody {
  const announced = request.headers['content-length'];
  const announcedBytes = announced === undefined ? null : Number(announced);
  return { stream: request, announcedBytes, admitAgain, room };
}
