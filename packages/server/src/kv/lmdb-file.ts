import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { META_BYTES, type MetaPage, type Page, parseMeta, parsePage } from './lmdb-format.ts';

/**
 * Why a data file cannot be LMDB's, or is cut short; `undefined` when nothing speaks against it, or when there is no file
 * yet. LMDB itself trusts what it maps, and ends the process on the first page that is not what it should be.
 */
export function findFileDamage(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  if (!stats.isFile()) return 'is not a file';
  using file = new LmdbFile(path);
  const { latest } = file;
  if (latest === undefined) return 'does not start as a data file does';
  const neededBytes = (latest.lastPage + 1) * latest.pageBytes;
  return stats.size < neededBytes
    ? `has ${stats.size} bytes of the ${neededBytes} it should have`
    : undefined;
}

/** A data file of LMDB that is read page by page, without LMDB. */
export class LmdbFile implements Disposable {
  readonly #file: number;
  /** Of the last transaction when the file was opened; absent when the file does not start as a data file does. */
  readonly latest: MetaPage | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.latest = this.#findLatest();
  }

  /** `undefined` when the page is not in the file, or is not what its number says. */
  readPage(number: number, pageBytes: number): Page | undefined {
    const bytes = this.readBytes(number * pageBytes, pageBytes);
    if (bytes === undefined) return undefined;
    try {
      return parsePage(bytes, number);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** `undefined` when the file ends before. */
  readBytes(position: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    return readSync(this.#file, bytes, 0, length, position) < length ? undefined : bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #findLatest(): MetaPage | undefined {
    const first = this.#readMeta(0);
    const second = first === undefined ? undefined : this.#readMeta(first.pageBytes);
    if (first === undefined || second === undefined) return undefined;
    return second.transaction > first.transaction ? second : first;
  }

  #readMeta(position: number): MetaPage | undefined {
    const bytes = this.readBytes(position, META_BYTES);
    return bytes === undefined ? undefined : parseMeta(bytes);
  }
}
