import { Refusal } from '@hearth/core/fault/refusal.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOCKED_RULES, OPEN_RULES } from './default-rules.ts';
import { MAX_RULES_BYTES, parseRules } from './parse-rules.ts';

/** The problems of a document; empty when it is accepted. Throws what is not a refusal. */
function problemsOf(source: string): string {
  try {
    parseRules(source);
    return '';
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rules/invalid') return error.message;
    throw error;
  }
}

function rulesOf(text: string): string {
  return `{"rules":${text}}`;
}

test.each([
  ['// first\n{"rules": /* nothing\n here */ {}} // last'],
  ['\ufeff{ "rules" : { ".read" : true } }\r\n'],
  ['{"rules":{".read":"auth\n\t!= null"}}'],
  ['{"rules":{"a \\"b\\" \\u00e9":{}}}'],
])('[R1] %j is accepted', (source) => expect(problemsOf(source)).toBe(''));

test.each([
  ['', '1:1: Parse error. Expected a value, found the end of the document.\n'],
  ['{"rules":{}', '1:12: Parse error. Expected "," or "}", found the end of the document.\n'],
  ['{"rules":{}} x', '1:14: Parse error. Expected the end of the document, found "x".\n'],
  ['{"rules":{\n".read":true,}}', '2:14: Parse error. Expected a name in double quotes, found "}".\n'],
  ["{'rules':{}}", '1:2: Parse error. Expected a name in double quotes, found "\'".\n'],
  ['{"rules" {}}', '1:10: Parse error. Expected ":", found "{".\n'],
  ['{"rules":{".indexOn":["a" "b"]}}', '1:27: Parse error. Expected "," or "]", found "\\"".\n'],
  ['{"rules":{".read":truee}}', '1:19: Parse error. Expected a value, found "t".\n'],
  ['{"rules":/* {}}', '1:10: Parse error. The comment does not end.\n'],
  ['{"rules', '1:2: Parse error. The string does not end, or contains an unknown escape sequence.\n'],
  ['{"a\\x":1}', '1:2: Parse error. The string does not end, or contains an unknown escape sequence.\n'],
  ['{"a\u0001":1}', '1:2: Parse error. The string contains a control character.\n'],
  ['['.repeat(10_000), '1:102: Parse error. The document is nested too deeply.\n'],
])('[R2] %j has one syntax error', (source, problem) => expect(problemsOf(source)).toBe(problem));

test('[R3] all problems are reported, each with its place', () => {
  const source = `{
  "rules": {
    ".read": "auth.uid == 'me'",
    ".validate": true,
    "a.b": {},
    "c": 1,
    "$x": { ".write": null },
    "$y": {}
  }
}`;
  expect(problemsOf(source).match(/^\d+:\d+/gm)).toEqual(['3:14', '4:5', '5:5', '6:10', '7:23', '8:5']);
});

test.each([
  ['[]', "1:1: Expected 'rules' property.\n"],
  ['{}', "1:2: Expected 'rules' property.\n"],
  ['{"rules":{},"more":1}', '1:13: Expected \'rules\' property. Unknown property "more".\n'],
  ['{"rules":{},"rules":{}}', '1:13: The property "rules" occurs twice.\n'],
  ['{"rules":true}', "1:10: Expected '{'.\n"],
  [rulesOf('{"a":[]}'), "1:15: Expected '{'.\n"],
])('[R4] %j is refused', (source, problem) => expect(problemsOf(source)).toBe(problem));

test.each([
  ['{"":{}}', 'Keys must be non-empty'],
  ['{"a/b":{}}', 'String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"$":{}}', 'Keys must be non-empty'],
  ['{"$a.b":{}}', "String can't contain"],
  [`{"${'k'.repeat(769)}":{}}`, '768'],
  ['{"$a":{},"$b":{}}', "Cannot have multiple default rules ('$a' and '$b')."],
  ['{"$a":{"x":{"$a":{}}}}', 'The name "$a" is taken'],
])('[R5] %s is refused', (text, problem) => expect(problemsOf(rulesOf(text))).toContain(problem));

test('[R5] wildcards of different names may be nested, and equal names stand side by side', () => {
  expect(problemsOf(rulesOf('{"x":{"$a":{"$b":{}}},"y":{"$a":{}}}'))).toBe('');
});

test.each([
  ['true', 'always'],
  ['false', 'never'],
  ['"true"', 'always'],
  ['" false "', 'never'],
  ['"auth != null"', 'signed-in'],
  ['"auth!=null"', 'signed-in'],
  ['" auth \\t!=\\n null "', 'signed-in'],
])('[R6] %s is a condition', (text, condition) => {
  expect(parseRules(rulesOf(`{".read":${text},".write":${text}}`)).root).toMatchObject({
    read: condition,
    write: condition,
  });
});

test.each([
  ['"auth !== null"'],
  ['"auth == null"'],
  ['"null != auth"'],
  ['"(auth != null)"'],
  ['"auth != null || true"'],
  ['"au th != null"'],
  ['"auth ! = null"'],
  ['"TRUE"'],
  ['"constructor"'],
  ['""'],
])('[R7] the expression %s is refused', (text) => {
  for (const name of ['.read', '.write']) {
    const problem = problemsOf(rulesOf(`{"${name}":${text}}`));
    expect(problem).toContain(
      `The expression ${text} is not supported yet: "${name}" accepts true, false and "auth != null".`,
    );
  }
});

test.each([['1'], ['null'], ['[]'], ['{}']])('[R7] the value %s is no condition', (text) => {
  const invalid = "Invalid rule expression.  Expected 'true', 'false', or an expression string.";
  expect(problemsOf(rulesOf(`{".read":${text}}`))).toBe(`1:19: ${invalid}\n`);
});

test.each([['.validate'], ['.Read'], ['.info'], ['.'], ['.x']])('[R8] %s is refused', (name) => {
  for (const value of ['true', '"true"', '{}'])
    expect(problemsOf(rulesOf(`{"a":{"${name}":${value}}}`))).toContain(`"${name}" is not supported yet`);
});

test.each([
  ['"height"', ['height']],
  ['["b","/a/c/","b",".value"]', ['b', 'a/c', '.value']],
  ['[]', []],
])('[R9] .indexOn %s is understood', (text, indexOn) => {
  expect(parseRules(rulesOf(`{".indexOn":${text}}`)).root.indexOn).toEqual(indexOn);
});

test.each([['true'], ['{}'], ['["a",1]'], ['null']])('[R9] .indexOn %s is refused', (text) => {
  const invalid = 'Invalid indexOn expression. Must be either a string or an array of strings';
  expect(problemsOf(rulesOf(`{".indexOn":${text}}`))).toContain(invalid);
});

test.each([['""'], ['"/"'], ['"a.b"'], ['"$key"'], ['".values"']])('[R9] the index %s is refused', (text) => {
  expect(problemsOf(rulesOf(`{".indexOn":${text}}`))).toContain(`The index ${text} is neither`);
});

test('[R10] .key and .priority need no index', () => {
  expect(parseRules(rulesOf('{".indexOn":[".key","a",".priority"]}')).root.indexOn).toEqual(['a']);
});

test('[R11] a name that occurs twice is refused', () => {
  for (const name of ['.read', 'a', '$a']) {
    const value = name === '.read' ? 'true' : '{}';
    expect(problemsOf(rulesOf(`{"${name}":${value},"${name}":${value}}`))).toContain(
      `The property "${name}" occurs twice.`,
    );
  }
});

test('[R12] the size is limited', () => {
  const room = MAX_RULES_BYTES - rulesOf('{}').length - 2;
  expect(problemsOf(`${rulesOf('{}')}//${'x'.repeat(room)}`)).toBe('');
  expect(problemsOf(`${rulesOf('{}')}//${'x'.repeat(room + 1)}`)).toBe(
    '1:1: The rules are longer than 256 KB.\n',
  );
  expect(problemsOf(`${rulesOf('{}')}//${'é'.repeat(room / 2 + 1)}`)).toContain('longer than 256 KB');
});

test('[R12] the depth is limited', () => {
  const nested = (levels: number) => rulesOf(`${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`);
  expect(problemsOf(nested(32))).toBe('');
  expect(problemsOf(nested(33))).toContain('The rules are nested deeper than 32 levels.');
});

const SNIPPET = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '//',
    '/*',
    '*/',
    '\n',
    ' ',
    '1',
    'true',
    'null',
    'auth != null',
  ],
  ...['"rules"', '".read"', '".write"', '".indexOn"', '"$a"', '"a"', '"b/c"', '\u0000', '\ud800'],
);

test('[R13] any text is accepted or refused', () => {
  fc.assert(fc.property(fc.array(SNIPPET), (parts) => void problemsOf(parts.join(''))));
  fc.assert(fc.property(fc.json(), (json) => void problemsOf(rulesOf(json))));
});

test('[R14] the source is kept as it is', () => {
  const source = '  // mine\n{"rules" :{}}\n\n';
  expect(parseRules(source).source).toBe(source);
});

test('[R21] the default documents are valid', () => {
  expect(parseRules(OPEN_RULES).root).toMatchObject({ read: 'always', write: 'always' });
  expect(parseRules(LOCKED_RULES).root).toMatchObject({ read: 'never', write: 'never' });
});

test('[R24] of very many problems the first hundred are shown, and how many more there are', () => {
  const rules = Array.from({ length: 150 }, (_, i) => `"k${i}": {".nonsense": 1}`).join(',\n');
  const problems = problemsOf(rulesOf(`{${rules}}`));
  expect(problems.match(/^\d+:\d+/gm)).toHaveLength(100);
  expect(problems).toMatch(/and 50 more problems\n$/);
});
