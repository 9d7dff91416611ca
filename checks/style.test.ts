import { expect, test } from 'vitest';
import { isSource, readFiles } from './repository.ts';
import { parseSource } from './source-file.ts';
import { checkDefaultExport, checkFileName, checkUnfinishedMarks } from './style.ts';

const files = readFiles(isSource);
const sources = files.map(parseSource);

test('[P12] source files are named in kebab-case after a concept', () => {
  expect(files.flatMap(({ path }) => checkFileName(path))).toEqual([]);
});

test.each([
  ['src/indexKey.ts', 1],
  ['src/IndexKey.test.ts', 1],
  ['src/index_key.ts', 1],
  ['src/utils.ts', 1],
  ['src/helpers/index-key.ts', 1],
  ['src/common/types.ts', 2],
  ['src/index-key.node.test.ts', 0],
  ['src/sha1.ts', 0],
])('[P12] %s has %d problems', (path, count) => {
  expect(checkFileName(path)).toHaveLength(count);
});

test('[P13] a note of unfinished work names its issue', () => {
  expect(sources.flatMap(checkUnfinishedMarks)).toEqual([]);
});

test.each([
  ['// TODO', 1],
  ['// TODO: later', 1],
  ['/* FIXME #3: soon */', 1],
  ['// TODO #12: read from the boundary key', 0],
  ['const text = "TODO"', 0],
])('[P13] %s has %d problems', (text, count) => {
  expect(checkUnfinishedMarks(parseSource({ path: 'a.ts', text }))).toHaveLength(count);
});

test('[P14] only files loaded by a tool export a default', () => {
  expect(sources.flatMap(checkDefaultExport)).toEqual([]);
});

test.each([
  ['src/a.ts', 'export default 1', 1],
  ['src/a.ts', 'const a = 1;\nexport { a as default }', 1],
  ['src/a.ts', 'export const a = 1', 0],
  ['conformance/vitest.config.ts', 'export default {}', 0],
])('[P14] %s: %s has %d problems', (path, text, count) => {
  expect(checkDefaultExport(parseSource({ path, text }))).toHaveLength(count);
});
