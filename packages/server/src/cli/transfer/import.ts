import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { elapsedMs } from '../../platform/clock.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { IMPORT_OPTIONS } from '../options.ts';
import { runWithProgress } from '../progress.ts';
import { plural } from '../rules/terminal.ts';
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
import { type DataLocation, dataRequestPath, readTransferTarget } from './target.ts';

/**
 * The effect of an import: the file replaces the data at the path, each child of the file replaces the child of the same
 * name, or objects are merged at every level.
 */
export type ImportMode = 'replace' | 'merge' | 'deep-merge';

/** The state of an import on a server. */
export interface RemoteImport {
  readonly status: 'open' | 'done' | 'failed';
  /** The number of bytes of the JSON text that the server has permanently accepted. */
  readonly offset: number;
  /** CRC-32 of these bytes. */
  readonly crc32: number;
  readonly counts: Readonly<Record<string, number>>;
  /** The reason for the failure, with the position in the text; empty if the import has not failed. */
  readonly error: string;
}

/** Parses the response of a server. Returns `undefined` if it is not the state of an import. */
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
  readonly location: DataLocation;
  readonly mode: ImportMode;
  /** Whether the server only counts what the import would change. */
  readonly isDryRun: boolean;
  readonly source: SourceFile;
  /** Whether to discard the data that the server has from an earlier attempt. */
  readonly isRestart: boolean;
  readonly signal: AbortSignal;
  readonly elapsedMs: () => number;
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  /** Called with a sentence for the user. */
  readonly report: (sentence: string) => void;
}

/** Size of a piece of text, in bytes. Each request sends one piece while the next piece is read. */
const PIECE_BYTES = 8 * 2 ** 20;

/**
 * The time after which the import gives up on an unavailable server, and the shortest and longest delay
 * between attempts.
 */
const GIVE_UP_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Sends a file to a server, resumes where an earlier attempt stopped, and returns the final state of the
 * import. Retries while the server is unavailable. Rejects with a `ServerUnreachable`, or with a
 * `CommandFailure` if the server rejects the import or the file is invalid.
 */
export async function importFile(request: ImportRequest): Promise<RemoteImport> {
  const upload = new Upload(request);
  if (request.isRestart) await upload.deleteImport();
  let unreachableSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const before = upload.offset;
    try {
      return await upload.run();
    } catch (cause) {
      if (cause instanceof SourceFailure) throw await upload.abandon(cause);
      // If the server has never answered, do not retry.
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
  /** The number of bytes that the server has received. */
  offset = 0;

  constructor(request: ImportRequest) {
    this.#request = request;
    const { location, source, mode, isDryRun } = request;
    const { database, path } = location;
    // The same command finds the same import when it runs again.
    const name = JSON.stringify([source.path, database, path, mode, isDryRun]);
    const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
    this.#address = `/api/databases/${encodeURIComponent(database)}/imports/${id}`;
  }

  /** Deletes the import on the server, if it exists. */
  async deleteImport(): Promise<void> {
    const response = await this.#send('DELETE', '');
    if (response.status !== 200 && response.status !== 404) throw await requestErrorOf(response);
    await this.#readText(response);
  }

  /**
   * Ends the upload after a file error. Deletes the import on the server if the server has no bytes of it.
   * Otherwise, the returned error says how many bytes the server keeps.
   */
  async abandon(failure: SourceFailure): Promise<CommandFailure> {
    if (this.offset === 0) {
      // If the deletion fails, the server discards the import later.
      await this.deleteImport().catch(() => this.#request.signal.throwIfAborted());
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
    // The import has ended, even if the server cannot delete it now.
    await this.deleteImport().catch(() => this.#request.signal.throwIfAborted());
    if (ended.status === 'failed') throw new CommandFailure(`${this.#request.source.path}: ${ended.error}`);
    return ended;
  }

  async #begin(): Promise<RemoteImport> {
    const { location, mode, isDryRun } = this.#request;
    const action = isDryRun ? { mode: 'compare', previewOf: mode } : { mode };
    const body = JSON.stringify({ path: location.path, ...action });
    const found = await this.#call('PUT', '', body);
    // The import ended in an earlier attempt, but its client disconnected before it deleted the import.
    if (found.status === 'open' || this.hasBegun) return found;
    await this.deleteImport();
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
      // The server may leave an incomplete value at the end of a piece unread. The next request sends it
      // again.
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
    // A failed import has status 400, and its body is the state of the import.
    const state = response.status === 200 || response.status === 400 ? findRemoteImport(text) : undefined;
    if (state !== undefined) return state;
    const requestError = errorFor(response, text);
    // The server is stopping, starting or busy, or still processes data of an earlier connection.
    const isTransient = response.status === 503 || (response.status === 409 && method !== 'PUT');
    throw isTransient && this.hasBegun
      ? new ServerUnreachable(this.#request.link, requestError)
      : requestError;
  }

  async #readText(answer: LinkAnswer): Promise<string> {
    try {
      return await readText(answer);
    } catch (cause) {
      this.#request.signal.throwIfAborted();
      throw new ServerUnreachable(this.#request.link, cause);
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
  /** The position in the file at the end of the piece, in bytes. */
  readonly readBytes: number;
}

/** Yields the text in pieces of at least `PIECE_BYTES`. The last piece may be smaller. */
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

/** Yields the same items, and produces the next item while the caller works on the current one. */
async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let next = items.next();
    for (;;) {
      const item = await next;
      if (item.done === true) return;
      next = items.next();
      // An error is reported when the loop awaits this item.
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    await items.return(undefined);
  }
}

/** Returns the text without its first `bytes` bytes. */
function dropFront(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  const rest: Buffer[] = [];
  let left = bytes;
  for (const chunk of chunks) {
    if (left < chunk.length) rest.push(chunk.subarray(left));
    left = Math.max(0, left - chunk.length);
  }
  return rest;
}

/** The exit code that a shell expects from a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Runs `hearth import`: sends a file to a running server. On a terminal, asks before it replaces data.
 * Rejects with a message for the user if the import fails.
 */
export async function runImport(flags: FlagsOf<typeof IMPORT_OPTIONS>, file: string): Promise<void> {
  const { link, location } = readTransferTarget(flags);
  const mode = readMode(flags);
  const isDryRun = readOption(IMPORT_OPTIONS.dryRun, flags.dryRun);
  const source = new SourceFile(resolve(file));
  const needsConfirmation = mode === 'replace' && !isDryRun && !readOption(IMPORT_OPTIONS.yes, flags.yes);
  if (needsConfirmation && process.stdin.isTTY && process.stderr.isTTY) await confirm(link, location);
  const ended = await runWithProgress(async ({ signal, stage, onBytes, say }) => {
    stage(isDryRun ? 'Comparing' : 'Importing');
    signal.addEventListener('abort', () => say('Run the same command again to resume from here.'));
    const isRestart = readOption(IMPORT_OPTIONS.restart, flags.restart);
    return importFile({
      link,
      location,
      mode,
      isDryRun,
      source,
      isRestart,
      signal,
      elapsedMs,
      onBytes,
      report: say,
    });
  });
  process.stdout.write(isDryRun ? formatDryRun(ended, mode, location) : formatEnd(ended, mode, location));
}

function readMode(flags: FlagsOf<typeof IMPORT_OPTIONS>): ImportMode {
  const isMerge = readOption(IMPORT_OPTIONS.merge, flags.merge);
  const isDeepMerge = readOption(IMPORT_OPTIONS.deepMerge, flags.deepMerge);
  if (isMerge && isDeepMerge)
    throw new StartFailure('--merge and --deep-merge are different imports and cannot be combined.');
  if (isDeepMerge) return 'deep-merge';
  return isMerge ? 'merge' : 'replace';
}

/** Asks for confirmation if the path has data. Throws a `StartFailure` if the answer is not yes. */
async function confirm(link: ServerLink, location: DataLocation): Promise<void> {
  const path = dataRequestPath(location, { shallow: 'true' });
  const response = await send(link, { method: 'GET', path, signal: new AbortController().signal });
  if (response.status !== 200) throw await requestErrorOf(response);
  if ((await readText(response)) === 'null') return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Without this listener, the question would wait forever after Ctrl-C.
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
  const written = counts['children'] ?? 0;
  switch (mode) {
    case 'replace':
      return `Imported ${plural(offset, 'byte')} to ${path} of ${database}.\n`;
    case 'merge':
      return `Merged ${plural(written, 'child', 'children')} into ${path} of ${database}.\n`;
    case 'deep-merge':
      return `Merged ${plural(written, 'node')} into ${path} of ${database}, at every level.\n`;
    default:
      return mode satisfies never;
  }
}

function formatDryRun({ counts }: RemoteImport, mode: ImportMode, { path, database }: DataLocation): string {
  const countOf = (name: string): number => counts[name] ?? 0;
  const of = (name: string): string => countOf(name).toLocaleString('en');
  const kind = mode === 'replace' ? '' : ` with --${mode}`;
  return `Dry run${kind} on ${path} of ${database}: ${plural(countOf('added'), 'value')} added, ${of('changed')} changed, ${of('removed')} removed, ${of('unchanged')} unchanged. Nothing was written.\n`;
}
