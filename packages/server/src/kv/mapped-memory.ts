import { openSync, readSync } from 'node:fs';

const SHARED_PAGES_FIELD = 2;
const PAGE_BYTES = 4096;

/** Seven numbers. */
const MAX_TEXT_BYTES = 256;

/** What the operating system says of this process's memory, anew whenever it is read; only Linux has this file. */
const statm = openFile('/proc/self/statm');

/**
 * Bytes of this process's resident memory that are pages of mapped files, its own program included. Absent where the
 * operating system does not say.
 */
export function findMappedBytes(): number | undefined {
  // Elsewhere mapped pages are left to the system.
  if (statm === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(MAX_TEXT_BYTES);
  const length = readSync(statm, bytes, 0, MAX_TEXT_BYTES, 0);
  const pages = Number(bytes.toString('latin1', 0, length).split(' ')[SHARED_PAGES_FIELD]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** Stays open as long as the process: this is asked for often, and opening costs more than reading. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
