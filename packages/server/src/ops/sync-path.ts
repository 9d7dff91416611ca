import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a file, or the names in a directory, to disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
