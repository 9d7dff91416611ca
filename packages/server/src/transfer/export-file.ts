import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailure } from '../ops/command-failure.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type DataPlace, dataAddress } from './data-address.ts';
import { refusalOf, ServerGone, type ServerLink, send } from './server-link.ts';

/** Longest time that a server takes for one answer. */
const TIMEOUT = '15min';

export interface ExportRequest {
  readonly link: ServerLink;
  readonly place: DataPlace;
  readonly signal: AbortSignal;
  /** Bytes of JSON so far. */
  readonly onBytes: (doneBytes: number) => void;
}

/**
 * Writes the JSON text of a place in export form to a file, compressed if its name ends in `.gz`. The file has its name when
 * all of it is on disk; until then, and if something goes wrong, nothing of that name changes. Returns the bytes of JSON.
 */
export async function exportToFile(request: ExportRequest, name: string): Promise<number> {
  const path = resolve(name);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new StartFailure(`${path} is a directory: name a file in it.`);
  const part = join(dirname(path), `${basename(path)}.part`);
  try {
    const file = createWriteStream(part, { mode: 0o600, flush: true });
    await openOrFail(file, part);
    const bytes = await transfer(request, name.endsWith('.gz'), file, true);
    renameSync(part, path);
    return bytes;
  } catch (cause) {
    rmSync(part, { force: true });
    throw cause;
  }
}

/** As `exportToFile`, to an open stream, which stays open. */
export function exportToStream(request: ExportRequest, stream: Writable): Promise<number> {
  return transfer(request, false, stream, false);
}

async function transfer(
  { link, place, signal, onBytes }: ExportRequest,
  isCompressed: boolean,
  target: Writable,
  end: boolean,
): Promise<number> {
  const path = dataAddress(place, { format: 'export', timeout: TIMEOUT });
  const response = await send(link, { method: 'GET', path, signal });
  if (response.status !== 200) throw await refusalOf(response);
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
        `The answer broke off after ${bytes} bytes: nothing was kept. ${new ServerGone(link.url, cause).message}`,
        cause,
      );
    }
  }
  const text = Readable.from(counted(response.body), { objectMode: false });
  if (isCompressed) await pipeline(text, createGzip(), target, { signal, end });
  else await pipeline(text, target, { signal, end });
  return bytes;
}

async function openOrFail(file: Writable, path: string): Promise<void> {
  try {
    await once(file, 'open');
  } catch (cause) {
    throw new StartFailure(
      `The file ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}
