import { readFileSync } from 'node:fs';

const SHARED_PAGES_FIELD = 2;
const PAGE_BYTES = 4096;

/**
 * Bytes of this process's resident memory that are pages of mapped files, its own program included. Absent where the
 * operating system does not say.
 */
export function findMappedBytes(): number | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/self/statm', 'latin1');
  } catch {
    // Only Linux has this file; elsewhere mapped pages are left to the system.
    return undefined;
  }
  const pages = Number(text.split(' ')[SHARED_PAGES_FIELD]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}
