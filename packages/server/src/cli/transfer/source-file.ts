import { createReadStream, type ReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

const READ_BYTES = 1 << 18;

/** The error for a file that cannot be read, or whose content does not match the ending of its name. */
export class SourceFailure extends CommandFailure {}

/** A file of JSON text, compressed if its name ends in `.gz`. Offsets are in bytes of uncompressed text. */
export class SourceFile {
  readonly path: string;
  /** Size of the file itself, compressed or not. */
  readonly sizeBytes: number;
  #reading: { readonly start: number; readonly file: ReadStream } | undefined;

  /** Throws a `StartFailure` if no file exists at the path. */
  constructor(path: string) {
    this.path = path;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) throw new StartFailure(`The file ${path} does not exist.`);
    this.sizeBytes = stats.size;
  }

  /**
   * The current position in the file itself, in bytes. Each call to `read` resets it. 0 before the first
   * call.
   */
  get readBytes(): number {
    return this.#reading === undefined ? 0 : this.#reading.start + this.#reading.file.bytesRead;
  }

  /** Returns the CRC-32 of the first `bytes` bytes of the text; `undefined` if the text is shorter. */
  async crc32(bytes: number): Promise<number | undefined> {
    let sum = 0;
    let left = bytes;
    for await (const chunk of bytes === 0 ? [] : this.read(0)) {
      sum = crc32(chunk.subarray(0, left), sum);
      left -= Math.min(left, chunk.length);
      if (left === 0) break;
    }
    return left === 0 ? sum : undefined;
  }

  /**
   * Yields the text from `offset` on. Throws a `SourceFailure` if the file cannot be read, or if its name
   * ends in `.gz` but its content is not valid gzip data.
   */
  async *read(offset: number): AsyncGenerator<Buffer> {
    const isCompressed = this.path.endsWith('.gz');
    const start = isCompressed ? 0 : offset;
    const file = createReadStream(this.path, { start, highWaterMark: READ_BYTES });
    this.#reading = { start, file };
    let skipped = start;
    try {
      for await (const chunk of isCompressed ? unpack(file) : file) {
        const bytes: Buffer = chunk;
        const from = Math.min(bytes.length, offset - skipped);
        skipped += from;
        if (from < bytes.length) yield bytes.subarray(from);
      }
    } catch (cause) {
      throw new SourceFailure(
        `The file ${this.path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
        cause,
      );
    } finally {
      file.destroy();
    }
  }
}

/** Returns the decompressed file. Forwards read errors, which `pipe` does not forward. */
function unpack(file: Readable): Readable {
  const text = createGunzip({ chunkSize: READ_BYTES });
  file.on('error', (error) => text.destroy(error));
  return file.pipe(text);
}
