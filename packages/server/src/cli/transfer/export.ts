import { once } from 'node:events';
import {
  createWriteStream,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { formatBytes } from '../../backup/report.ts';
import { syncPath } from '../../platform/data-directory.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import type { FlagsOf } from '../../platform/option.ts';
import type { EXPORT_OPTIONS } from '../options.ts';
import { runWithProgress } from '../progress.ts';
import { type LinkAnswer, requestErrorOf, type ServerLink, ServerUnreachable, send } from './server-link.ts';
import { type DataLocation, dataRequestPath, readTransferTarget } from './target.ts';

/** The destination of an export. */
export interface ExportTarget {
  readonly stream: Writable;
  /** Renames the file to its final name, after all data is written. */
  finish(): void;
  /** Removes the unfinished file. */
  discard(): void;
}

/**
 * Returns the path of the file that a name refers to, with symbolic links resolved. The file does not have to
 * exist. Throws a `StartFailure` for a directory, and for a path where no file can exist.
 */
export function findExportPath(name: string): string {
  let path = resolve(name);
  try {
    // Throws for circular links.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new StartFailure(`${path} is a directory. Specify a file in it.`);
    while (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      path = resolve(realpathSync(dirname(path)), readlinkSync(path));
    return path;
  } catch (cause) {
    throw cause instanceof StartFailure ? cause : cannotWrite(path, cause);
  }
}

/**
 * Opens the destination of an export. Opens a pipe or a device directly. For a file, creates a new file with
 * an unused name next to it. Rejects with a `StartFailure` if the destination cannot be opened.
 */
export async function openExportTarget(path: string): Promise<ExportTarget> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    return { stream: await openDirectly(path), finish: () => {}, discard: () => {} };
  const { part, file } = createPart(path);
  return {
    stream: createWriteStream(part, { fd: file, flush: true }),
    finish() {
      renameSync(part, path);
      syncPath(dirname(path));
    },
    discard: () => rmSync(part, { force: true }),
  };
}

/** Opens a pipe or a device. Resolves only when a program reads from the pipe. */
async function openDirectly(path: string): Promise<Writable> {
  const stream = createWriteStream(path);
  try {
    await once(stream, 'open');
    return stream;
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

/**
 * Creates the unfinished file synchronously. The response is not read yet, so the command would not notice its
 * interruption during a wait.
 */
function createPart(path: string): { readonly part: string; readonly file: number } {
  for (let number = 1; ; number += 1) {
    const part = join(dirname(path), `${basename(path)}.${number}.part`);
    try {
      return { part, file: openSync(part, 'wx', 0o600) };
    } catch (cause) {
      // The file belongs to another program, or to an export that was killed.
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') continue;
      throw cannotWrite(part, cause);
    }
  }
}

function cannotWrite(path: string, cause: unknown): StartFailure {
  return new StartFailure(
    `The file ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
    cause,
  );
}

/** The longest timeout that a server accepts for one response. */
const TIMEOUT = '15min';

export interface ExportRequest {
  readonly link: ServerLink;
  readonly location: DataLocation;
  readonly signal: AbortSignal;
  /** Called with the number of JSON bytes received so far. */
  readonly onBytes: (doneBytes: number) => void;
}

/**
 * Writes the JSON text of a path in export form to a file, compressed if `name` ends in `.gz`. Replaces a
 * file of that name only after all data is on disk. Returns the number of bytes of JSON.
 */
export async function exportToFile(request: ExportRequest, name: string): Promise<number> {
  const path = findExportPath(name);
  const answer = await requestExport(request);
  const target = await openExportTarget(path);
  try {
    const bytes = await transfer(request, answer, name.endsWith('.gz'), target.stream, true);
    target.finish();
    return bytes;
  } catch (cause) {
    target.discard();
    throw cause;
  }
}

/** Like `exportToFile`, but writes uncompressed text to an open stream and does not close it. */
export async function exportToStream(request: ExportRequest, stream: Writable): Promise<number> {
  return transfer(request, await requestExport(request), false, stream, false);
}

async function requestExport({ link, location, signal }: ExportRequest): Promise<LinkAnswer> {
  const path = dataRequestPath(location, { format: 'export', timeout: TIMEOUT });
  const answer = await send(link, { method: 'GET', path, signal });
  if (answer.status === 200) return answer;
  throw await requestErrorOf(answer);
}

async function transfer(
  { link, signal, onBytes }: ExportRequest,
  answer: LinkAnswer,
  isCompressed: boolean,
  target: Writable,
  end: boolean,
): Promise<number> {
  let bytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        onBytes(bytes);
        yield chunk;
      }
    } catch (cause) {
      signal.throwIfAborted();
      throw new CommandFailure(
        `The response was interrupted after ${bytes} bytes. Nothing was saved. ${new ServerUnreachable(link, cause).message}`,
        cause,
      );
    }
  }
  const text = Readable.from(counted(answer.body), { objectMode: false });
  if (isCompressed) await pipeline(text, createGzip(), target, { signal, end });
  else await pipeline(text, target, { signal, end });
  return bytes;
}

/**
 * Runs `hearth export`: writes data of a running server to a file or to standard output. Rejects with a
 * message for the user if the export fails.
 */
export async function runExport(flags: FlagsOf<typeof EXPORT_OPTIONS>, file: string): Promise<void> {
  const { link, location } = readTransferTarget(flags);
  const bytes = await runWithProgress(({ signal, stage, onBytes }) => {
    stage('Exporting');
    const request = { link, location, signal, onBytes: (done: number) => onBytes(done, undefined) };
    return file === '-' ? exportToStream(request, process.stdout) : exportToFile(request, file);
  });
  process.stderr.write(
    `Exported ${location.path} of ${location.database} (${formatBytes(bytes)} of JSON)${file === '-' ? '' : ` to ${file}`}.\n`,
  );
}
