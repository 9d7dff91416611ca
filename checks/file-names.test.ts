import { expect, test } from 'vitest';
import { checkNamesInComments, checkNamesInDocument, createFileLookup } from './file-names.ts';
import { isSource, listFiles, readFiles } from './repository.ts';
import { parseSource } from './source-file.ts';

const exists = createFileLookup(listFiles());

test('[P46] every source file that a comment names exists', () => {
  const files = readFiles(isSource).filter(({ path }) => !path.startsWith('checks/file-names.'));
  expect(files.map(parseSource).flatMap((file) => checkNamesInComments(file, exists))).toEqual([]);
});

test('[P46] every source file that a document names exists', () => {
  const documents = readFiles((path) => path.endsWith('.md'));
  expect(documents.flatMap((file) => checkNamesInDocument(file, exists))).toEqual([]);
});

const EXAMPLE = createFileLookup(['packages/core/src/tree/digest.ts', 'checks/cycles.ts']);

test.each([
  ['digest.ts', 0],
  ['tree/digest.ts', 0],
  ['core/tree/digest.ts', 0],
  ['packages/core/src/tree/digest.ts', 0],
  ['query/digest.ts', 1],
  ['igest.ts', 1],
  ['digest.tsx', 1],
  ['digest.js', 0],
])('[P46] a comment or a document that names %s has %d problems', (name, count) => {
  const source = parseSource({ path: 'a.ts', text: `// See ${name}, which explains it.` });
  expect(checkNamesInComments(source, EXAMPLE)).toHaveLength(count);
  expect(checkNamesInDocument({ path: 'a.md', text: `See \`${name}\`.` }, EXAMPLE)).toHaveLength(count);
});
