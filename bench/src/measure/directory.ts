import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the bytes on disk of the files of a directory and its subdirectories. Holes in sparse files do not
 * count.
 */
export function readDirectoryBytes(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512;
  }
  return bytes;
}

/** An empty directory that disposal deletes with its contents. TMPDIR selects the disk. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'hearth-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
