import { expect, test } from 'vitest';
import { type DocumentValue, parseRulesDocument, RulesSyntaxError } from './document.ts';

function problemOf(source: string): string {
  try {
    parseRulesDocument(source);
    return '';
  } catch (error) {
    if (error instanceof RulesSyntaxError) return `${error.offset}: ${error.message}`;
    throw error;
  }
}

/** Returns the parsed value of a document that is a single string. Throws for any other document. */
function stringOf(source: string): Extract<DocumentValue, { readonly kind: 'string' }> {
  const value = parseRulesDocument(source);
  if (value.kind !== 'string') throw new Error(`${source} is not a string`);
  return value;
}

test.each([
  ['// first\n[/* nothing\n here */] // last'],
  ['\ufeff{ "rules" : { ".read" : true } }\r\n'],
  ['"auth\n\t!= null\r\n"'],
  ['"a \\"b\\" \\u00e9 \\/"'],
  ['[-1.5e+3, 0, null, false]'],
])('[R1] %j is a document', (source) => expect(problemOf(source)).toBe(''));

test.each([
  ['', '0: Parse error. Expected a value, found the end of the document.'],
  ['{}}', '2: Parse error. Expected the end of the document, found "}".'],
  ['{"a":1,}', '7: Parse error. Expected a name in double quotes, found "}".'],
  ['[1,]', '3: Parse error. Expected a value, found "]".'],
  ['01', '1: Parse error. Expected the end of the document, found "1".'],
  ['/* {}', '0: Parse error. The comment does not end.'],
  ['"a\\x"', '0: Parse error. The string does not end, or contains an unknown escape sequence.'],
  ['"a\u0001"', '0: Parse error. The string contains a control character.'],
  ['{"a":'.repeat(50_000), '505: Parse error. The document is nested too deeply.'],
])('[R2] %j is not a document', (source, problem) => expect(problemOf(source)).toBe(problem));

test.each([
  ['"abc"', [1, 2, 3, 4]],
  [' "a\nb"', [2, 3, 4, 5]],
  ['"\\n\\"\\\\x"', [1, 3, 5, 7, 8]],
  ['"\\u0041b"', [1, 7, 8]],
  ['"\\ud83d\\ude00é"', [1, 7, 13, 14]],
  ['"\ud83d\ude00\\u002f"', [1, 2, 3, 9]],
  ['""', [1]],
])('[R31] the characters of %s have the offsets %j', (source, offsets) => {
  const { value, locate } = stringOf(source);
  expect(Array.from({ length: value.length + 1 }, (_, index) => locate(index))).toEqual(offsets);
});
