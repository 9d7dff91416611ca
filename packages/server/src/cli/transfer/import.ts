import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { elapsedMs } from '../../platform/clock.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { IMPORT_OPTIONS } from '../options.ts';
import { watchWork } from '../progress.ts';
import {
  errorFor,
  type LinkAnswer,
  type LinkRequest,
  readText,
  requestErrorOf,
  type ServerLink,
  ServerUnreachable,
  send,
} from './server-link.ts';
import { SourceFailure, SourceFile } from './source-file.ts';
import { type DataLocation, dataAddress, readTransferTarget } from './target.ts';

/** What becomes of the file: it replaces what is at the place, is merged into it, or is only compared with it. */
export type ImportMode = 'replace' | 'merge' | 'compare';

/** How far a server is with an import. */
export interface RemoteImport {
  readonly status: 'open' | 'done' | 'failed';
  /** Bytes of the JSON text that it has taken in for good. */
  readonly offset: number;
  /** CRC-32 of these bytes. */
  readonly crc32: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Why it has failed, with the place in the text; empty unless it has. */
  readonly error: string;
}

/** Reads the answer of a server; `undefined` when it is no such thing. */
export function findRemoteImport(text: string): RemoteImport | undefined {
  const json = findJson(text);
  if (typeof json !== 'object' || json === null || !('status' in json && 'offset' in json && 'crc32' in json))
    return undefined;
  const { status, offset, crc32 } = json;
  if (status !== 'open' && status !== 'done' && status !== 'failed') return undefined;
  if (typeof offset !== 'number' || typeof crc32 !== 'number') return undefined;
  const counts = 'counts' in json ? parseCounts(json.counts) : {};
  return { status, offset, crc32, counts, error: 'error' in json ? String(json.error) : '' };
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseCounts(json: unknown): Readonly<Record<string, number>> {
  if (typeof json !== 'object' || json === null) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

export interface ImportRequest {
  readonly link: ServerLink;
  readonly place: DataLocation;
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

/** Bytes of text in one request, of which one is sent while another is read. */
const PIECE_BYTES = 8 * 2 ** 20;

/** How long a server may be gone before it is given up, and how long is waited between attempts. */
const GIVE_UP_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Sends a file to a server, from where an earlier attempt has broken off, and returns how the import has ended. A server that
 * is gone is waited for. Rejects with a `ServerUnreachable`, or with a `CommandFailure` when the server or the file is wrong.
 */
export async function importFile(request: ImportRequest): Promise<RemoteImport> {
  const upload = new Upload(request);
  if (request.isRestart) await upload.forget();
  let unreachableSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const before = upload.offset;
    try {
      return await upload.run();
    } catch (cause) {
      if (cause instanceof SourceFailure) throw await upload.leave(cause);
      // Whoever has never been there is not waited for.
      if (!(cause instanceof ServerUnreachable) || !upload.hasBegun) throw cause;
      const nowMs = request.elapsedMs();
      if (upload.offset > before) {
        unreachableSinceMs = undefined;
        pauseMs = FIRST_PAUSE_MS;
      }
      if (unreachableSinceMs === undefined) {
        unreachableSinceMs = nowMs;
        request.report(`The server stopped answering after ${upload.offset} bytes. Retrying.`);
      }
      if (nowMs - unreachableSinceMs > GIVE_UP_MS) {
        request.report('When the server is available again, run the same command again to resume.');
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
    if (response.status !== 200 && response.status !== 404) throw await requestErrorOf(response);
    await this.#readText(response);
  }

  /** Gives up an import of which the server has nothing; says of another what it has. */
  async leave(failure: SourceFailure): Promise<CommandFailure> {
    if (this.offset === 0) {
      // What cannot be forgotten now is given up by the server in time.
      await this.forget().catch(() => this.#request.signal.throwIfAborted());
      return failure;
    }
    return new CommandFailure(
      `${failure.message} The server keeps the received ${this.offset} bytes for 7 days. Run the same command again to resume with a complete file, or add --restart to start over.`,
      failure,
    );
  }

  async run(): Promise<RemoteImport> {
    const begun = await this.#begin();
    this.hasBegun = true;
    this.offset = begun.offset;
    const sent = begun.status === 'open' ? await this.#sendText(begun) : begun;
    const ended = sent.status === 'open' ? await this.#call('POST', '/finish') : sent;
    if (ended.status === 'open') throw new CommandFailure('The server did not finish the import. Try again.');
    // It is over, whether or not the server can forget it now.
    await this.forget().catch(() => this.#request.signal.throwIfAborted());
    if (ended.status === 'failed') throw new CommandFailure(`${this.#request.source.path}: ${ended.error}`);
    return ended;
  }

  async #begin(): Promise<RemoteImport> {
    const { place: location, mode } = this.#request;
    const body = JSON.stringify({ path: location.path, mode });
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
          `The file ${source.path} has changed since ${begun.offset} bytes of it were sent: add --restart to start over.`,
        );
      report(`Resuming from byte ${begun.offset} of an earlier attempt.`);
    }
    let state = begun;
    let rest: readonly Buffer[] = [];
    for await (const { chunks, readBytes } of readAhead(readPieces(source, begun.offset))) {
      const text = [...rest, ...chunks];
      const before = state.offset;
      state = await this.#append(before, text, '');
      if (state.status !== 'open') return state;
      onBytes(readBytes, source.sizeBytes);
      // The server may leave a value at the end that is not complete.
      rest = dropFront(text, state.offset - before);
    }
    return rest.length === 0 ? state : this.#append(state.offset, rest, '&final=true');
  }

  async #append(offset: number, text: readonly Buffer[], parameters: string): Promise<RemoteImport> {
    const state = await this.#call('PATCH', `?offset=${offset}${parameters}`, text);
    this.offset = state.offset;
    return state;
  }

  async #call(
    method: 'PUT' | 'PATCH' | 'POST',
    suffix: string,
    body?: LinkRequest['body'],
  ): Promise<RemoteImport> {
    const response = await this.#send(method, suffix, body);
    const text = await this.#readText(response);
    // An import that has failed is a bad request, and says so itself.
    const state = response.status === 200 || response.status === 400 ? findRemoteImport(text) : undefined;
    if (state !== undefined) return state;
    const requestError = errorFor(response.status, text);
    // It is stopping, starting or busy, or goes on with what an earlier connection has left.
    const isPassing = response.status === 503 || (response.status === 409 && method !== 'PUT');
    throw isPassing && this.hasBegun
      ? new ServerUnreachable(this.#request.link.url, requestError)
      : requestError;
  }

  async #readText(answer: LinkAnswer): Promise<string> {
    try {
      return await readText(answer);
    } catch (cause) {
      this.#request.signal.throwIfAborted();
      throw new ServerUnreachable(this.#request.link.url, cause);
    }
  }

  #send(
    method: 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    suffix: string,
    body: LinkRequest['body'] = [],
  ): Promise<LinkAnswer> {
    const { link, signal } = this.#request;
    const path = this.#address + suffix;
    return send(link, { method, path, body, signal });
  }
}

interface Piece {
  readonly chunks: readonly Buffer[];
  /** Of the file, up to its end. */
  readonly readBytes: number;
}

/** The text in pieces of at least `PIECE_BYTES`, the last excepted. */
async function* readPieces(source: SourceFile, offset: number): AsyncGenerator<Piece> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source.read(offset)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield { chunks, readBytes: source.readBytes };
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield { chunks, readBytes: source.readBytes };
}

/** The same, of which one more is made while each is worked on. */
async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let next = items.next();
    for (;;) {
      const item = await next;
      if (item.done === true) return;
      next = items.next();
      // What goes wrong is told when its turn comes.
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await items.return(undefined);
  }
}

/** What is left of a text without its first bytes. */
function dropFront(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  const rest: Buffer[] = [];
  let left = bytes;
  for (const chunk of chunks) {
    if (left < chunk.length) rest.push(chunk.subarray(left));
    left = Math.max(0, left - chunk.length);
  }
  return rest;
}

/** What a shell expects of a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * `hearth import`: sends a file to a running server. On a terminal it asks before data is replaced. Rejects with a sentence
 * when it cannot.
 */
export async function runImport(flags: FlagsOf<typeof IMPORT_OPTIONS>, file: string): Promise<void> {
  const { link, place: location } = readTransferTarget(flags);
  const mode = readMode(flags);
  const source = new SourceFile(resolve(file));
  const isAsked = mode === 'replace' && !readOption(IMPORT_OPTIONS.yes, flags.yes);
  if (isAsked && process.stdin.isTTY && process.stderr.isTTY) await confirm(link, location);
  const ended = await watchWork(async ({ signal, stage, onBytes, say }) => {
    stage(mode === 'compare' ? 'Comparing' : 'Importing');
    signal.addEventListener('abort', () => say('Run the same command again to resume from here.'));
    const isRestart = readOption(IMPORT_OPTIONS.restart, flags.restart);
    return importFile({
      link,
      place: location,
      mode,
      source,
      isRestart,
      signal,
      elapsedMs,
      onBytes,
      report: say,
    });
  });
  process.stdout.write(formatEnd(ended, mode, location));
}

function readMode(flags: FlagsOf<typeof IMPORT_OPTIONS>): ImportMode {
  const isMerge = readOption(IMPORT_OPTIONS.merge, flags.merge);
  if (!readOption(IMPORT_OPTIONS.dryRun, flags.dryRun)) return isMerge ? 'merge' : 'replace';
  if (isMerge)
    throw new StartFailure(
      '--dry-run reports what a replacement would change and cannot be combined with --merge.',
    );
  return 'compare';
}

/** Throws a `StartFailure` when there is data and the answer is not yes. */
async function confirm(link: ServerLink, location: DataLocation): Promise<void> {
  const path = dataAddress(location, { shallow: 'true' });
  const response = await send(link, { method: 'GET', path, signal: new AbortController().signal });
  if (response.status !== 200) throw await requestErrorOf(response);
  if ((await readText(response)) === 'null') return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Otherwise the question would wait for ever.
  terminal.once('SIGINT', () => process.exit(INTERRUPTED));
  const answer = await terminal.question(
    `Replace all data at ${location.path} of ${location.database}? [y/N] `,
  );
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new StartFailure('Nothing was changed.');
}

function formatEnd(
  { offset, counts }: RemoteImport,
  mode: ImportMode,
  { path, database }: DataLocation,
): string {
  const of = (name: string): string => (counts[name] ?? 0).toLocaleString('en');
  switch (mode) {
    case 'replace':
      return `Imported ${offset.toLocaleString('en')} bytes to ${path} of ${database}.\n`;
    case 'merge':
      return `Merged ${of('children')} children into ${path} of ${database}.\n`;
    case 'compare':
      return `Dry run on ${path} of ${database}: ${of('added')} values added, ${of('changed')} changed, ${of('removed')} removed, ${of('unchanged')} unchanged. Nothing was written.\n`;
    default:
      return mode satisfies never;
  }
}
