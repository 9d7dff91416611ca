import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './repository.ts';

// A folder inside the repository, so that the compiler can find the types of Node if the options allow it.
// All other checks ignore the folder.
const folder = mkdtempSync(join(ROOT, 'node_modules/.purity-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a text with the options of the sources of core. Returns the diagnostics. */
function compile(text: string): string {
  writeFileSync(join(folder, 'example.ts'), text);
  const config = {
    extends: '../../packages/core/tsconfig.source.json',
    include: ['example.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, status } = spawnSync(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ]);
  return status === 0 ? '' : stdout.toString();
}

test.each([
  [`import { readFileSync } from 'node:fs'; export const a = readFileSync;`, 'node:fs'],
  ['export const a = process.pid;', 'process'],
  ['export const a = Buffer.alloc(1);', 'Buffer'],
  ['export const a = document.title;', 'document'],
  ['export const a = fetch("x");', 'fetch'],
  ['setTimeout(() => {}, 1); export {};', 'setTimeout'],
])('[P5] core does not compile if it uses %s', (text, name) => {
  expect(compile(text)).toContain(`'${name}'`);
});

test('[P5] core compiles without Node and DOM', () => {
  expect(compile('export const a = new Uint8Array(1);')).toBe('');
});
