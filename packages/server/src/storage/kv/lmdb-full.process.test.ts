import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('[K9] a full disk refuses the transaction whole, reads go on, and writing resumes when there is room', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-lmdb-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = fileURLToPath(new URL('lmdb-full.fixture.ts', import.meta.url));
  // The limit on file sizes stands for a full disk: the write is cut short in the same way.
  const script = `ulimit -S -f 4096; exec "$0" --conditions=source "$1" "$2"`;
  const child = spawnSync('bash', ['-c', script, process.execPath, program, directory], {
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  expect(child.stdout.trim().split('\n')).toEqual([
    'refused: StoreFull',
    'refused again: StoreFull',
    'trace of the refused: none',
    'first pair: kept',
    'after removing: written',
  ]);
});
