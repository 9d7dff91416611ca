import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataDirectory } from './data-directory.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-data-directory-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const MARKER = '{"product":"hearth","format":2}\n';

test.each([
  ['missing', () => {}],
  ['empty', (path: string) => mkdirSync(path)],
  ['left by an interrupted start', (path: string) => fill(path, { lock: '', 'hearth.json.new': '{"prod' })],
  ['the root of a volume', (path: string) => mkdirSync(join(path, 'lost+found'), { recursive: true })],
  ['initialized', (path: string) => fill(path, { 'hearth.json': MARKER, 'data.mdb': 'x' })],
])('[H47] a data directory is accepted: %s', (_name, prepare) => {
  const path = join(base, 'a/b');
  if (_name !== 'missing') mkdirSync(join(base, 'a'));
  prepare(path);
  const directory = openDataDirectory(path);
  expect(directory.path).toBe(path);
  expect(readFileSync(join(path, 'hearth.json'), 'utf8')).toBe(MARKER);
  directory[Symbol.dispose]();
  openDataDirectory(path)[Symbol.dispose]();
});

test.each([
  ['a file', () => writeFileSync(join(base, 'd'), 'x'), 'is not a directory'],
  [
    'with foreign files',
    () => fill(join(base, 'd'), { 'notes.txt': 'x' }),
    'contains files that do not belong to Hearth',
  ],
  [
    'with a lock file and foreign files',
    () => fill(join(base, 'd'), { lock: '', 'data.mdb': 'x' }),
    'contains files',
  ],
  [
    'of a newer version',
    () => fill(join(base, 'd'), { 'hearth.json': '{"product":"hearth","format":3}' }),
    'newer version',
  ],
  [
    'of an older version',
    () => fill(join(base, 'd'), { 'hearth.json': '{"product":"hearth","format":1}' }),
    'Export it with that version, and import it into a new directory',
  ],
  [
    'with a truncated marker',
    () => fill(join(base, 'd'), { 'hearth.json': '{"prod' }),
    'not a Hearth data directory',
  ],
  [
    'with the marker of another product',
    () => fill(join(base, 'd'), { 'hearth.json': '{"product":"x","format":1}' }),
    'not a Hearth data',
  ],
  [
    'with a marker without a format',
    () => fill(join(base, 'd'), { 'hearth.json': '{"product":"hearth"}' }),
    'not a Hearth data directory',
  ],
  [
    'with the marker of an invalid format',
    () => fill(join(base, 'd'), { 'hearth.json': '{"product":"hearth","format":0}' }),
    'not a Hearth data',
  ],
  [
    'with a marker that is null',
    () => fill(join(base, 'd'), { 'hearth.json': 'null' }),
    'not a Hearth data directory',
  ],
  [
    'with a marker that is a directory',
    () => mkdirSync(join(base, 'd/hearth.json'), { recursive: true }),
    'cannot be used',
  ],
  ['a dangling link', () => symlinkSync(join(base, 'none/x'), join(base, 'd')), 'data directory'],
])('[H44][H47] a data directory is rejected and stays unchanged: %s', (_name, prepare, sentence) => {
  prepare();
  const before = readdirSync(base, { recursive: true });
  expect(() => openDataDirectory(join(base, 'd'))).toThrow(sentence);
  expect(readdirSync(base, { recursive: true })).toEqual(before);
});

test('[H44] a directory that cannot be created is rejected', () => {
  writeFileSync(join(base, 'file'), '');
  expect(() => openDataDirectory(join(base, 'file/d'))).toThrow('cannot be created');
  expect(() => openDataDirectory('/proc/none/d')).toThrow('cannot be created');
});

test('[H48] one process at a time uses a directory', () => {
  const path = join(base, 'd');
  const first = openDataDirectory(path);
  expect(() => openDataDirectory(path)).toThrow('is in use by another process');
  first[Symbol.dispose]();
  openDataDirectory(path)[Symbol.dispose]();
});

function fill(path: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
}
