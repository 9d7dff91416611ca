import { expect, test } from 'vitest';
import { isSource, readFiles } from './repository.ts';
import {
  checkFolders,
  checkImports,
  checkLines,
  isProduct,
  MAX_FILES,
  MAX_IMPORTS,
  MAX_LINES,
} from './size.ts';
import { parseSource } from './source-file.ts';

const files = readFiles((path) => isSource(path) && isProduct(path));

test('[P44] no file of a package is too long', () => {
  expect(files.flatMap(checkLines)).toEqual([]);
});

test('[P44] no module imports too many others', () => {
  expect(files.map(parseSource).flatMap(checkImports)).toEqual([]);
});

test('[P44] no folder has too many files', () => {
  expect(checkFolders(files.map(({ path }) => path))).toEqual([]);
});

test.each([
  [MAX_LINES, 0],
  [MAX_LINES + 1, 1],
])('[P44] a file of %d lines has %d problems', (lines, count) => {
  expect(checkLines({ path: 'a.ts', text: '1;\n'.repeat(lines) })).toHaveLength(count);
});

test.each([
  ['packages/core/src/tree/a.ts', './b', MAX_IMPORTS, 0],
  ['packages/core/src/tree/a.ts', './b', MAX_IMPORTS + 1, 1],
  ['packages/core/src/tree/a.ts', 'package-', MAX_IMPORTS + 1, 0],
  ['packages/server/src/app/a.ts', './b', MAX_IMPORTS + 1, 0],
])('[P44] %s that imports from %s %d times has %d problems', (path, prefix, imports, count) => {
  const text = Array.from({ length: imports }, (_, index) => `import '${prefix}${index}.ts';`).join('\n');
  expect(checkImports(parseSource({ path, text }))).toHaveLength(count);
});

test.each([
  [MAX_FILES, 0],
  [MAX_FILES + 1, 1],
])('[P44] a folder of %d files has %d problems', (files, count) => {
  const paths = Array.from({ length: files }, (_, index) => `src/tree/${index}.ts`);
  expect(checkFolders([...paths, 'src/other.ts'])).toHaveLength(count);
});
