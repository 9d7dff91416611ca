import { findRows } from './document-table.ts';
import type { TextFile } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/** The words that the glossary replaces. */
export interface Vocabulary {
  /** Lower-case words that no name contains. */
  readonly words: ReadonlySet<string>;
  /** Lower-case beginnings that no name of several words has. */
  readonly beginnings: ReadonlySet<string>;
  /** Lower-case phrases that no comment and no text contains. */
  readonly phrases: readonly string[];
  /** Stored and transmitted names, which keep their words. */
  readonly exceptions: ReadonlySet<string>;
}

/** Reads the tables of the glossary: `word`, `beginning…` and `"phrase"` in the column `not`. */
export function readVocabulary(glossary: TextFile): Vocabulary {
  const rows = findRows(glossary);
  const replaced = rows
    .flatMap(({ cells }) => (cells['not'] ?? '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return {
    words: new Set(replaced.filter((entry) => /^[a-z]+$/.test(entry))),
    beginnings: new Set(replaced.flatMap((entry) => /^([a-z]+)…$/.exec(entry)?.[1] ?? [])),
    phrases: replaced.flatMap((entry) => /^"(.+)"$/.exec(entry)?.[1] ?? []),
    exceptions: new Set(rows.flatMap(({ cells }) => /^`(.+)`$/.exec(cells['name'] ?? '')?.[1] ?? [])),
  };
}

/** Returns the words of a name in lower case: `HTTPServer` and `http_server` are both `http`, `server`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/);
}

/** Returns the names, comments and strings of a source file that use a replaced word. */
export function checkVocabulary(
  { path, names, comments, strings }: SourceFile,
  vocabulary: Vocabulary,
): readonly string[] {
  const { words, beginnings, exceptions } = vocabulary;
  const badNames = names.filter(({ name }) => {
    const [first = '', ...rest] = wordsOf(name);
    const isReplaced = words.has(first) || rest.some((word) => words.has(word));
    return !exceptions.has(name) && (isReplaced || (beginnings.has(first) && rest.length > 0));
  });
  return [
    ...badNames.map(
      ({ name, line }) => `${path}:${line}: "${name}" contains a word that the glossary replaces`,
    ),
    ...[...comments, ...strings.filter(isSentence)].flatMap(({ text, line }) =>
      findPhrases(text, vocabulary).map((phrase) => `${path}:${line}: the text contains "${phrase}"`),
    ),
  ];
}

/** A string without white space is a name or a value. */
function isSentence({ text }: { readonly text: string }): boolean {
  return /\s/.test(text);
}

/** Returns the lines of a document or of a file of messages that contain a replaced phrase, except in code and keys. */
export function checkText({ path, text }: TextFile, vocabulary: Vocabulary): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      findPhrases(line.replace(/`[^`]*`|^\s*"\w+":/g, ''), vocabulary).map(
        (phrase) => `${path}:${index + 1}: the text contains "${phrase}"`,
      ),
    );
}

function findPhrases(text: string, { phrases }: Vocabulary): readonly string[] {
  return phrases.filter((phrase) => new RegExp(`\\b${phrase}\\b`, 'i').test(text));
}
