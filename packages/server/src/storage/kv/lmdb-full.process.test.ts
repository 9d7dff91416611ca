import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('[K9] on a full disk, the whole transaction is rejected, reads continue, and writes succeed again once there is space', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-lmdb-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = fileURLToPath(new URL('lmdb-full.fixture.ts', import.meta.url));
  // A limit on file sizes has the same effect as a full disk: the write is cut short.
  const script = `ulimit -S -f 4096; exec "$0" --conditions=source "$1" "$2"`;
  const child = spawnSync('bash', ['-c', script, process.execPath, program, directory], {
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  expect(child.stdout.trim().split('\n')).toEqual([
    'rejected: StoreFull',
    'rejected again: StoreFull',
    'trace of the rejected transaction: none',
    'first pair: kept',
    'after removing: written',
  ]);
});
