import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory that disappears, with its contents, when disposed. Set TMPDIR to choose the disk. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'hearth-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
