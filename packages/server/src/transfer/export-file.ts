import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailure } from '../ops/command-failure.ts';
import { type DataPlace, dataAddress } from './data-address.ts';
import { findExportPath, openExportTarget } from './export-target.ts';
import { type LinkAnswer, refusalOf, ServerGone, type ServerLink, send } from './server-link.ts';

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
  const path = findExportPath(name);
  const answer = await ask(request);
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

/** As `exportToFile`, to an open stream, which stays open. */
export async function exportToStream(request: ExportRequest, stream: Writable): Promise<number> {
  return transfer(request, await ask(request), false, stream, false);
}

async function ask({ link, place, signal }: ExportRequest): Promise<LinkAnswer> {
  const path = dataAddress(place, { format: 'export', timeout: TIMEOUT });
  const answer = await send(link, { method: 'GET', path, signal });
  if (answer.status === 200) return answer;
  throw await refusalOf(answer);
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
        `The answer broke off after ${bytes} bytes: nothing was kept. ${new ServerGone(link.url, cause).message}`,
        cause,
      );
    }
  }
  const text = Readable.from(counted(answer.body), { objectMode: false });
  if (isCompressed) await pipeline(text, createGzip(), target, { signal, end });
  else await pipeline(text, target, { signal, end });
  return bytes;
}
