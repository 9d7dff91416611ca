import { expect, test } from 'vitest';
import { isSource, readFiles, readText } from './repository.ts';
import { parseSource } from './source-file.ts';
import { checkText, checkVocabulary, readVocabulary } from './vocabulary.ts';

const PATH = 'docs/glossary.md';
const VOCABULARY = readVocabulary({ path: PATH, text: readText(PATH) });

test('[P43] names, comments and strings use the words of the glossary', () => {
  const sources = readFiles((path) => isSource(path) && !path.startsWith('checks/vocabulary'));
  const problems = sources.flatMap((file) => checkVocabulary(parseSource(file), VOCABULARY));
  expect(problems).toEqual([]);
});

test('[P43] documents and English messages use the words of the glossary', () => {
  const texts = readFiles((path) => /(\.md|\/messages\/en\/[\w-]+\.json)$/.test(path) && path !== PATH);
  expect(texts.flatMap((file) => checkText(file, VOCABULARY))).toEqual([]);
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
  ['const a = "reads it anew"', 1],
  ['const a = "anew"', 0],
  ['// A turn of the event loop.', 0],
])('[P43] %s has %d problems', (text, count) => {
  expect(checkVocabulary(parseSource({ path: 'a.ts', text }), EXAMPLE)).toHaveLength(count);
});
