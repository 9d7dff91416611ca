import { expect, test } from 'vitest';
import { isSource, readFiles, readText } from './repository.ts';
import { parseSource } from './source-file.ts';
import { checkVocabulary, readVocabulary } from './vocabulary.ts';

const PATH = 'docs/glossary.md';
const VOCABULARY = readVocabulary({ path: PATH, text: readText(PATH) });

test('[P43] names and comments use the words of the glossary', () => {
  const problems = readFiles(isSource).flatMap((file) => checkVocabulary(parseSource(file), VOCABULARY));
  expect(problems).toEqual([]);
});

const EXAMPLE = readVocabulary({
  path: 'a.md',
  text: [
    '| term | meaning | not |',
    '|---|---|---|',
    '| transaction | | turn, turns |',
    '| `require…` | | must… |',
    '| again | | "anew" |',
    '',
    '| name | why |',
    '|---|---|',
    '| `mustStay` | stored |',
  ].join('\n'),
});

test.each([
  ['const turn = 1', 1],
  ['class OpenTurn {}', 1],
  ['const MAX_TURNS = 1', 1],
  ['class A { #turn = 1 }', 1],
  ['const a = { lastTurn: 1 }', 1],
  ['const turnip = 1', 0],
  ['function mustFind() {}', 1],
  ['function must() {}', 0],
  ['const a = { mustStay: 1 }', 0],
  ['// Reads it anew.', 1],
  ['// A turn of the event loop.', 0],
])('[P43] %s has %d problems', (text, count) => {
  expect(checkVocabulary(parseSource({ path: 'a.ts', text }), EXAMPLE)).toHaveLength(count);
});
