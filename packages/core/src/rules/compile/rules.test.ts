import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../../error/request-error.ts';
import { parseKey } from '../../tree/key.ts';
import { parsePath, ROOT } from '../../tree/path.ts';
import { NO_QUERY, type Scope } from '../evaluate/scope.ts';
import type { RuleView } from '../evaluate/values.ts';
import { MAX_RULES_BYTES, parseRules } from './rules.ts';

const NOTHING: RuleView = { findValue: () => null, findPriority: () => null };
const SCOPE: Scope = { auth: null, now: 0, before: NOTHING, after: NOTHING, query: NO_QUERY, path: ROOT };

/** Returns the problems of a document, or an empty string if it is accepted. Throws any other error. */
function problemsOf(source: string): string {
  try {
    parseRules(source);
    return '';
  } catch (error) {
    if (error instanceof RequestError && error.code === 'rules/invalid') return error.message;
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

test('[R3] all problems are reported, each with its location', () => {
  const source = `{
  "rules": {
    ".read": "auth.uid == 'me' && foo &&
      !now",
    ".validate": "newData.exist()",
    "a.b": {},
    "c": 1,
    "$x": { ".write": null },
    "$y": {}
  }
}`;
  expect(problemsOf(source).match(/^\d+:\d+/gm)).toEqual([
    '3:35',
    '4:8',
    '5:27',
    '6:5',
    '7:10',
    '8:23',
    '9:5',
  ]);
});

test.each([
  ['[]', "1:2: Expected 'rules' property.\n"],
  ['true', "1:2: Expected 'rules' property.\n"],
  ['{}', "1:2: Expected 'rules' property.\n"],
  ['{"rules":{},"more":1}', '1:13: Expected \'rules\' property. Unknown property "more".\n'],
  ['{"rules":{},"rules":{}}', '1:13: The property "rules" occurs twice.\n'],
  ['{"rules":true}', "1:10: Expected '{'.\n"],
  [rulesOf('{"a":[]}'), "1:15: Expected '{'.\n"],
])('[R4] %j is rejected', (source, problem) => expect(problemsOf(source)).toBe(problem));

test.each([
  ['{"":{}}', 'Keys must be non-empty'],
  ['{"a/b":{}}', 'String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"$":{}}', 'Keys must be non-empty'],
  ['{"$a.b":{}}', "String can't contain"],
  [`{"${'k'.repeat(769)}":{}}`, '768'],
  ['{"$a":{},"$b":{}}', "Cannot have multiple default rules ('$a' and '$b')."],
  ['{"$a":{"x":{"$a":{}}}}', 'The name "$a" is already used'],
])('[R5] %s is rejected', (text, problem) => expect(problemsOf(rulesOf(text))).toContain(problem));

test('[R5] wildcards with different names may be nested, and siblings may have wildcards with equal names', () => {
  expect(problemsOf(rulesOf('{"x":{"$a":{"$b":{}}},"y":{"$a":{}}}'))).toBe('');
});

test.each([
  ['true', true],
  ['false', false],
  ['"true"', true],
  ['" false\\n"', false],
  ['"1 < 2"', true],
])('[R6] the rule %s evaluates to %s', (text, value) => {
  const { root } = parseRules(rulesOf(`{".read":${text},".write":${text},".validate":${text}}`));
  for (const kind of ['read', 'write', 'validate'] as const) {
    expect(root[kind]).toMatchObject({ kind, location: [] });
    expect(root[kind]?.evaluate(SCOPE)).toBe(value);
  }
});

test('[R19] auth != null holds for a signed-in user only', () => {
  const rule = parseRules(rulesOf('{".read":"auth != null"}')).root.read;
  expect(rule?.evaluate(SCOPE)).toBe(false);
  expect(rule?.evaluate({ ...SCOPE, auth: { uid: 'jack' } })).toBe(true);
  expect(rule?.evaluate({ ...SCOPE, auth: {} })).toBe(true);
});

test('[R6] a rule has its location and its expression', () => {
  const source = rulesOf('{"rooms":{"$room":{".read":"$room == \'a\'"}}}');
  const rule = parseRules(source).root.children.get(parseKey('rooms'))?.wildcard?.node.read;
  expect(rule?.location).toEqual(['rooms', '$room']);
  expect(source.slice(rule?.expression.span.start, rule?.expression.span.end)).toBe("$room == 'a'");
  expect(rule?.evaluate({ ...SCOPE, path: parsePath('rooms/a') })).toBe(true);
  expect(rule?.evaluate({ ...SCOPE, path: parsePath('rooms/b') })).toBe(false);
});

test('[R6] a location without rules has null for each rule', () => {
  expect(parseRules(rulesOf('{"a":{}}')).root).toMatchObject({ read: null, write: null, validate: null });
});

test('[R6] hasValidate is true if a .validate is at or below the location', () => {
  const { root } = parseRules(
    rulesOf('{"a":{"b":{".validate":true}},"c":{"$d":{".validate":true,".read":true}},"e":{".read":true}}'),
  );
  expect(root.hasValidate).toBe(true);
  expect([...root.children].map(([key, { hasValidate }]) => [key, hasValidate])).toEqual([
    ['a', true],
    ['c', true],
    ['e', false],
  ]);
});

test.each([['1'], ['null'], ['[]'], ['{}']])('[R7] the value %s is rejected as a rule', (text) => {
  const invalid = "Invalid rule expression.  Expected 'true', 'false', or an expression string.";
  for (const name of ['.read', '.write', '.validate'])
    expect(problemsOf(rulesOf(`{"${name}":\n${text}}`))).toBe(`2:1: ${invalid}\n`);
});

test.each([['""'], ['"TRUE"'], ['"auth != null ||"'], ['"auth = null"'], ['"auth"'], ['"$a == \'b\'"']])(
  '[R7] the expression %s is rejected',
  (text) => {
    for (const name of ['.read', '.write', '.validate'])
      expect(problemsOf(rulesOf(`{"${name}":${text}}`))).toMatch(/^1:\d+: [^\n]+\n$/);
  },
);

test('[R67] wildcards are known at and below their location only', () => {
  const rules = (below: string) => rulesOf(`{"a":{"$x":{"$y":{${below}}}},"b":{"$z":{}}}`);
  expect(problemsOf(rules('".read":"$x == $y"'))).toBe('');
  expect(problemsOf(rules('".read":"$x == $z"'))).toContain("Unknown variable '$z'.");
  expect(problemsOf(rulesOf('{".read":"$x == \'a\'","$x":{}}'))).toContain("Unknown variable '$x'.");
});

test.each([
  ['".Read":true', "Expected '{'. Did you mean '.read'?"],
  ['".validat":"true"', "Expected '{'. Did you mean '.validate'?"],
  ['".indexON":["a"]', "Expected '{'. Did you mean '.indexOn'?"],
  ['".info":null', "Expected '{'."],
  ['".":1', "Expected '{'."],
  ['".reads":{}', 'String can\'t contain ".", "#", "$", "/", "[", or "]" Did you mean \'.read\'?'],
  ['".info":{}', 'String can\'t contain ".", "#", "$", "/", "[", or "]"'],
])('[R8] %s is rejected', (text, problem) => {
  expect(problemsOf(rulesOf(`{"a":{${text}}}`)).replace(/^\d+:\d+: /, '')).toBe(`${problem}\n`);
});

test.each([
  ['"height"', ['height']],
  ['["b","/a/c/","b",".value"]', ['b', 'a/c', '.value']],
  ['[]', []],
])('[R9] .indexOn %s is accepted', (text, indexOn) => {
  expect(parseRules(rulesOf(`{".indexOn":${text}}`)).root.indexOn).toEqual(indexOn);
});

test.each([['true'], ['{}'], ['["a",1]'], ['null']])('[R9] .indexOn %s is rejected', (text) => {
  const invalid = 'Invalid indexOn expression. Must be either a string or an array of strings';
  expect(problemsOf(rulesOf(`{".indexOn":${text}}`))).toContain(invalid);
});

test.each([['""'], ['"/"'], ['"a.b"'], ['"$key"'], ['".values"']])(
  '[R9] the index %s is rejected',
  (text) => {
    expect(problemsOf(rulesOf(`{".indexOn":${text}}`))).toContain(`The index ${text} is neither`);
  },
);

test('[R10] .key and .priority in .indexOn have no effect', () => {
  expect(parseRules(rulesOf('{".indexOn":[".key","a",".priority"]}')).root.indexOn).toEqual(['a']);
});

test('[R11] a name that occurs twice is rejected', () => {
  for (const name of ['.read', 'a', '$a']) {
    const value = name === '.read' ? 'true' : '{}';
    expect(problemsOf(rulesOf(`{"${name}":${value},"${name}":${value}}`))).toContain(
      `The property "${name}" occurs twice.`,
    );
  }
});

test('[R12] a document of 256 KB is accepted, and a longer one is rejected', () => {
  const room = MAX_RULES_BYTES - rulesOf('{}').length - 2;
  expect(problemsOf(`${rulesOf('{}')}//${'x'.repeat(room)}`)).toBe('');
  expect(problemsOf(`${rulesOf('{}')}//${'x'.repeat(room + 1)}`)).toBe(
    '1:1: The rules are longer than 256 KB.\n',
  );
  expect(problemsOf(`${rulesOf('{}')}//${'é'.repeat(room / 2 + 1)}`)).toContain('longer than 256 KB');
});

test('[R12] rules of 32 levels are accepted, and rules of 33 levels are rejected', () => {
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
  ...['"auth.a == ', "'b' && ", 'data.exists()"', '".validate":"'],
  ...['"rules"', '".read"', '".write"', '".indexOn"', '"$a"', '"a"', '"b/c"', '\u0000', '\ud800'],
);

test('[R13] any text is accepted or rejected with the documented error', () => {
  fc.assert(fc.property(fc.array(SNIPPET), (parts) => void problemsOf(parts.join(''))));
  fc.assert(fc.property(fc.json(), (json) => void problemsOf(rulesOf(json))));
});

test('[R14] the source is stored unchanged', () => {
  const source = '  // mine\n{"rules" :{}}\n\n';
  expect(parseRules(source).source).toBe(source);
});

test('[R24] of more than a hundred problems the first hundred are listed, with the number of the others', () => {
  const rules = Array.from({ length: 150 }, (_, i) => `"k${i}": {".nonsense": 1}`).join(',\n');
  const problems = problemsOf(rulesOf(`{${rules}}`));
  expect(problems.match(/^\d+:\d+/gm)).toHaveLength(100);
  expect(problems).toMatch(/and 50 more problems\n$/);
});

test('[R248] when all patterns together are too large, the problem is at the first pattern that exceeds the limit', () => {
  const patterns = (count: number): string =>
    Array.from(
      { length: count },
      (_, i) => `"k${i}": {".write": "auth.uid.matches(/^.{1000}.{1000}.{1000}.{999}x$/)"}`,
    ).join(',\n');
  expect(problemsOf(rulesOf(`{${patterns(100)}}`))).toBe('');
  expect(problemsOf(rulesOf(`{${patterns(102)}}`))).toMatch(
    /^101:[0-9]+: The regular expressions up to this one have more than 400,000 characters in total, [^\n]*\n$/,
  );
});

test('[R281] a byte order mark takes no column', () => {
  expect(problemsOf('\ufeff{}')).toBe("1:2: Expected 'rules' property.\n");
});

test.each([['"a\\u0001"'], ['"$a\\u007f"']])(
  '[R282] the problem of the name %s mentions control characters',
  (name) => expect(problemsOf(rulesOf(`{${name}:{}}`))).toContain('ASCII control characters'),
);

test.each([
  ['a variable', rulesOf(`{".read":"${'v'.repeat(500)} == 1"}`), "1:20: Unknown variable 'NAME'.\n"],
  ['a member', rulesOf(`{".read":"data.${'v'.repeat(500)}"}`), "1:25: No such method/property 'NAME'.\n"],
  [
    'a second wildcard',
    rulesOf(`{"$a":{},"$${'v'.repeat(500)}":{}}`),
    "1:19: Cannot have multiple default rules ('$a' and 'NAME').\n",
  ],
])('[R283] the name of %s is truncated in the problem', (_, source, problem) => {
  const cut = problem.includes('$') ? `$${'v'.repeat(79)}…` : `${'v'.repeat(80)}…`;
  expect(problemsOf(source)).toBe(problem.replace('NAME', () => cut));
});
