import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes the files of a directory take on disk, subdirectories included. Holes in sparse files count nothing. */
export function readDirectoryBytes(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512;
  }
  return bytes;
}

/** An empty directory that disappears, with its contents, when disposed. Set TMPDIR to choose the disk. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'hearth-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
