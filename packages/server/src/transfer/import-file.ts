import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CommandFailure } from '../ops/command-failure.ts';
import type { DataPlace } from './data-address.ts';
import { findRemoteImport, type ImportMode, type RemoteImport } from './import-state.ts';
import {
  type LinkAnswer,
  readText,
  refusalFor,
  refusalOf,
  ServerGone,
  type ServerLink,
  send,
} from './server-link.ts';
import type { SourceFile } from './source-file.ts';

export interface ImportRequest {
  readonly link: ServerLink;
  readonly place: DataPlace;
  readonly mode: ImportMode;
  readonly source: SourceFile;
  /** Is what the server has of an earlier attempt to be forgotten? */
  readonly isRestart: boolean;
  readonly signal: AbortSignal;
  readonly elapsedMs: () => number;
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  /** Takes a sentence for the person who waits. */
  readonly report: (sentence: string) => void;
}

/** Bytes of text in one request. */
const PIECE_BYTES = 4 * 2 ** 20;

/** How long a server may be gone before it is given up, and how long is waited between attempts. */
const GIVE_UP_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

const NOTHING = Buffer.alloc(0);

/**
 * Sends a file to a server, from where an earlier attempt has broken off, and returns how the import has ended. A server that
 * is gone is waited for. Rejects with a `ServerGone`, or with a `CommandFailure` when the server or the file is wrong.
 */
export async function importFile(request: ImportRequest): Promise<RemoteImport> {
  const upload = new Upload(request);
  if (request.isRestart) await upload.forget();
  let goneSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const before = upload.offset;
    try {
      return await upload.run();
    } catch (cause) {
      // Whoever has never been there is not waited for.
      if (!(cause instanceof ServerGone) || !upload.hasBegun) throw cause;
      const nowMs = request.elapsedMs();
      if (upload.offset > before) {
        goneSinceMs = undefined;
        pauseMs = FIRST_PAUSE_MS;
      }
      if (goneSinceMs === undefined) {
        goneSinceMs = nowMs;
        request.report(`The server is gone after ${upload.offset} bytes; trying again.`);
      }
      if (nowMs - goneSinceMs > GIVE_UP_MS) {
        request.report('Give the same command again, once the server is back, to go on from there.');
        throw cause;
      }
      await setTimeout(pauseMs, undefined, { signal: request.signal });
    }
  }
}

class Upload {
  readonly #request: ImportRequest;
  readonly #address: string;
  hasBegun = false;
  /** Bytes that the server has. */
  offset = 0;

  constructor(request: ImportRequest) {
    this.#request = request;
    const { database, path } = request.place;
    // The same command, given again, finds the same import.
    const name = JSON.stringify([request.source.path, database, path, request.mode]);
    const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
    this.#address = `/api/databases/${encodeURIComponent(database)}/imports/${id}`;
  }

  /** Forgets the import on the server, if there is one. */
  async forget(): Promise<void> {
    const response = await this.#send('DELETE', '');
    if (response.status !== 200 && response.status !== 404) throw await refusalOf(response);
    await this.#readText(response);
  }

  async run(): Promise<RemoteImport> {
    const begun = await this.#begin();
    this.hasBegun = true;
    this.offset = begun.offset;
    const sent = begun.status === 'open' ? await this.#sendText(begun) : begun;
    const ended = sent.status === 'open' ? await this.#call('POST', '/finish') : sent;
    if (ended.status === 'open') throw new CommandFailure('The server did not finish the import: try again.');
    // It is over, whether or not the server can forget it now.
    await this.forget().catch(() => this.#request.signal.throwIfAborted());
    if (ended.status === 'failed') throw new CommandFailure(`${this.#request.source.path}: ${ended.error}`);
    return ended;
  }

  async #begin(): Promise<RemoteImport> {
    const { place, mode } = this.#request;
    const body = JSON.stringify({ path: place.path, mode });
    const found = await this.#call('PUT', '', body);
    // One that is over, and not by this attempt, was not forgotten because its client went away at that moment.
    if (found.status === 'open' || this.hasBegun) return found;
    await this.forget();
    return this.#call('PUT', '', body);
  }

  async #sendText(begun: RemoteImport): Promise<RemoteImport> {
    const { source, report, onBytes } = this.#request;
    if (begun.offset > 0) {
      if ((await source.crc32(begun.offset)) !== begun.crc32)
        throw new CommandFailure(
          `The file ${source.path} has changed since ${begun.offset} bytes of it were sent: give --restart to begin anew.`,
        );
      report(`Going on from byte ${begun.offset}, where an earlier attempt has broken off.`);
    }
    const pieces = readPieces(source.read(begun.offset));
    let state = begun;
    let rest: Buffer = NOTHING;
    for await (const piece of pieces) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const before = state.offset;
      state = await this.#append(before, bytes, '');
      if (state.status !== 'open') return state;
      onBytes(source.readBytes, source.sizeBytes);
      // The server may leave a value at the end that is not complete.
      rest = bytes.subarray(state.offset - before);
    }
    return rest.length === 0 ? state : this.#append(state.offset, rest, '&final=true');
  }

  async #append(offset: number, bytes: Buffer, parameters: string): Promise<RemoteImport> {
    const state = await this.#call('PATCH', `?offset=${offset}${parameters}`, bytes);
    this.offset = state.offset;
    return state;
  }

  async #call(
    method: 'PUT' | 'PATCH' | 'POST',
    suffix: string,
    body?: Buffer | string,
  ): Promise<RemoteImport> {
    const response = await this.#send(method, suffix, body);
    const text = await this.#readText(response);
    // An import that has failed is a bad request, and says so itself.
    const state = response.status === 200 || response.status === 400 ? findRemoteImport(text) : undefined;
    if (state !== undefined) return state;
    const refusal = refusalFor(response.status, text);
    // It is stopping, starting or busy, or goes on with what an earlier connection has left.
    const isPassing = response.status === 503 || (response.status === 409 && method !== 'PUT');
    throw isPassing && this.hasBegun ? new ServerGone(this.#request.link.url, refusal) : refusal;
  }

  async #readText(answer: LinkAnswer): Promise<string> {
    try {
      return await readText(answer);
    } catch (cause) {
      this.#request.signal.throwIfAborted();
      throw new ServerGone(this.#request.link.url, cause);
    }
  }

  #send(
    method: 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    suffix: string,
    body?: Buffer | string,
  ): Promise<LinkAnswer> {
    const { link, signal } = this.#request;
    const path = this.#address + suffix;
    return send(link, body === undefined ? { method, path, signal } : { method, path, body, signal });
  }
}

/** The same bytes in pieces of at least `PIECE_BYTES`, the last excepted. */
async function* readPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
