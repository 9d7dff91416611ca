import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readMaxFiles } from './process.ts';

test('[H543] the limit of open files is read from the system', () => {
  const text = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  expect(readMaxFiles()).toBe(text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text));
});
