import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import exported from './node-20-exports.json' with { type: 'json' };
import { readFiles, readText, type TextFile } from './repository.ts';
import { parseSource } from './source-file.ts';

/** The scripts of these lines start under the Node that the machine has, before anything is installed. */
const HEADER = /Runs under\s+(?:\/\/ )?Node\s+(?:\/\/ )?20/;

/** Functions of the language that Node 20 does not have. */
const MISSING = new Set(
  'Object.groupBy Map.groupBy Promise.withResolvers Promise.try Array.fromAsync RegExp.escape'.split(' '),
);

/** Names that each module of Node 20.20 exports, separated by spaces. */
const EXPORTS: Readonly<Record<string, string>> = exported;

/** Returns one sentence for each thing that a script uses although Node 20 without packages does not have it. */
function findMissing(file: TextFile): readonly string[] {
  const { importedNames, reads } = parseSource(file);
  const names = importedNames
    .filter(({ specifier }) => !specifier.startsWith('.'))
    .filter(({ specifier, name }) => !EXPORTS[specifier]?.split(' ').includes(name))
    .map(({ specifier, name, line }) => `${file.path}:${line} imports ${name} from ${specifier}`);
  const uses = reads
    .filter(({ name }) => MISSING.has(name))
    .map(({ name, line }) => `${file.path}:${line} uses ${name}`);
  return [...names, ...uses];
}

/** Returns the files that `path` imports, directly or not, with itself. */
function closureOf(path: string, found = new Map<string, TextFile>()): readonly TextFile[] {
  if (!found.has(path)) {
    const file = { path, text: readText(path) };
    found.set(path, file);
    for (const { specifier } of parseSource(file).importedNames)
      if (specifier.startsWith('.')) closureOf(join(dirname(path), specifier), found);
  }
  return [...found.values()];
}

const SCRIPTS = readFiles((path) => /^scripts\/[^/]+\.mjs$/.test(path)).filter(({ text }) =>
  HEADER.test(text),
);

test('[P73] the scripts that start everything are found', () => {
  expect(SCRIPTS.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['scripts/hearth.mjs', 'scripts/start.mjs', 'scripts/test.mjs']),
  );
});

test.each(SCRIPTS)('[P73] $path uses only what Node 20 has', ({ path }) => {
  expect(closureOf(path).flatMap(findMissing)).toEqual([]);
});

test.each([
  ["import { enableCompileCache } from 'node:module';", 1],
  ["import { createRequire } from 'node:module';", 0],
  ["import { DatabaseSync } from 'node:sqlite';", 1],
  ["import { build } from 'vite';", 1],
  ["const { build } = await import('vite');", 0],
  ['Promise.withResolvers();', 1],
])('[P73] %s has %d problems', (text, count) => {
  expect(findMissing({ path: 'scripts/a.mjs', text })).toHaveLength(count);
});
