import { expect, test } from 'vitest';
import { RequestError } from '../../error/request-error.ts';
import { parseRules } from './rules.ts';

/**
 * Returns the problems of a document as `line: message`. Omits the columns, because those of the hosted service are
 * not known.
 */
function problemsOf(source: string): readonly string[] {
  try {
    parseRules(source);
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^(\d+):\d+: /, '$1: '));
  }
}

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ['{}', "1: Expected 'rules' property."],
  ['[]', "1: Expected 'rules' property."],
  ['{\n"rules":\n{}}x', '3: Parse error. Expected the end of the document, found "x".'],
  ['{"rules":{\n"a":\n1}}', "3: Expected '{'."],
  ['{"rules":{\n".foo":\n1}}', "3: Expected '{'."],
  ['{"rules":{\n"a.b":\n{}}}', '2: String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"rules":{\n"a#b":\n{}}}', '2: String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"rules":{\n"a/b":\n{}}}', '2: String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"rules":{\n".foo":\n{}}}', '2: String can\'t contain ".", "#", "$", "/", "[", or "]"'],
  ['{"rules":{\n"$x":{},\n"$y":{}}}', "3: Cannot have multiple default rules ('$x' and '$y')."],
  ['{"rules":{"$x":{\n"$x":{}}}}', '2: The name "$x" is already used by a location above this one.'],
  ...['1', 'null', '["true"]', '{}'].map(
    (value) =>
      [
        `{"rules":{".read":\n${value}}}`,
        "2: Invalid rule expression.  Expected 'true', 'false', or an expression string.",
      ] as const,
  ),
  ...['1', '{}', '[1]'].map(
    (value) =>
      [
        `{"rules":{".indexOn":\n${value}}}`,
        '2: Invalid indexOn expression. Must be either a string or an array of strings',
      ] as const,
  ),
];

test.each(DOCUMENTS)(
  '[R75] the problem of the document %j has the sentence of the hosted service',
  (source, problem) => {
    expect(problemsOf(source)).toEqual([problem]);
  },
);

const BOOLEAN = 'Expression must evaluate to a boolean.';
const NO_FUNCTION = 'Type error: Function call on target that is not a function.';
const NOT_AN_OBJECT = 'Invalid property access: target is not an object.';
const SCALAR = 'is not a number, boolean, string, or null.';
const ARRAY = 'hasChildren() expects only a single argument (containing an array of child names).';

/** Expressions and their problems. Each expression is in the second line of its document. */
const EXPRESSIONS: readonly (readonly [string, string])[] = [
  ["foo == 'a'", "Unknown variable 'foo'."],
  ["$x == 'a'", "Unknown variable '$x'."],
  ['newData.exists()', 'newData is invalid in .read expressions.'],
  ['auth.isAdmin', BOOLEAN],
  ["'x'", BOOLEAN],
  ['7', BOOLEAN],
  ['root.val()', BOOLEAN],
  ['root == 1', 'Invalid == expression: left operand is not a number, boolean, string, null.'],
  ['1 == root', `Invalid == expression: right operand ${SCALAR}`],
  ['root === 1', 'Invalid === expression: left operand is not a number, boolean, string, null.'],
  ['1 === root', `Invalid === expression: right operand ${SCALAR}`],
  ['root != 1', `Invalid != expression: left operand ${SCALAR}`],
  ['1 != query', `Invalid != expression: right operand ${SCALAR}`],
  ['/a/ !== 1', `Invalid !== expression: left operand ${SCALAR}`],
  ['1 !== root', `Invalid !== expression: right operand ${SCALAR}`],
  ...['<', '<=', '>', '>='].flatMap((operator) => [
    [
      `true ${operator} 1`,
      `Invalid ${operator} expression: left operand must be a number or string.`,
    ] as const,
    [
      `1 ${operator} true`,
      `Invalid ${operator} expression: right operand must be a number or string.`,
    ] as const,
  ]),
  ['null + 1 == 1', 'Invalid + expression: left operand is not a number or string.'],
  ['1 + true == 2', 'Invalid + expression: right operand is not a number or string.'],
  ...['-', '*', '/', '%'].flatMap((operator) => [
    [`'a' ${operator} 1 == 1`, `Invalid ${operator} expression: left operand is not a number.`] as const,
    [`1 ${operator} 'a' == 1`, `Invalid ${operator} expression: right operand is not a number.`] as const,
  ]),
  ...['&&', '||'].flatMap((operator) => [
    [`auth.isAdmin ${operator} true`, `Left operand of ${operator} must be boolean.`] as const,
    [`true ${operator} auth.isAdmin`, `Right operand of ${operator} must be boolean.`] as const,
  ]),
  ['1 ? true : false', 'condition of ? must be boolean.'],
  ['!auth', '! only operates on booleans.'],
  ["-'a' == 1", '- only operates on numbers.'],
  ['root.foo()', "No such method/property 'foo'."],
  ['query.foo == 1', "No such method/property 'foo'."],
  ['now.foo == 1', NOT_AN_OBJECT],
  ["root['exi' + 'sts']()", 'Invalid property access.'],
  ['auth.foo()', NO_FUNCTION],
  ['root()', NO_FUNCTION],
  ['root.exists(1)', 'exists() expects no arguments.'],
  ['root.child().exists()', 'child() expects 1 argument.'],
  ["root.hasChild('a', 'b')", 'hasChild() expects 1 argument.'],
  ['auth.uid.contains(7)', 'contains() expects a string argument.'],
  ['auth.uid.contains(query.equalTo)', 'contains() expects a string argument.'],
  ["auth.uid.replace('a') == 'b'", 'replace() expects two arguments.'],
  ["auth.uid.replace(1, 'a') == 'b'", 'Argument 1 of replace() must be a string.'],
  ["auth.uid.replace('a', 1) == 'b'", 'Argument 2 of replace() must be a string.'],
  ['auth.uid.matches()', 'matches() expects 1 regular expression literal argument.'],
  ["auth.uid.matches('/a/')", 'matches() expects a regular expression literal argument.'],
  ["root.hasChildren(['a'], ['b'])", ARRAY],
  ["root.hasChildren('a')", 'hasChildren() expects an array of child names.'],
  ['root.hasChildren([7])', 'hasChildren() expects an array of strings.'],
  ["['a'] == 1", 'Unexpected array literal.'],
  ['auth = 1', 'Rule expressions may not contain assignments.'],
  ['now ^ 1 == 1', "Rule expressions may not contain operator '^'."],
  ['~now == 1', "Rule expressions may not contain operator '~'."],
  ['now << 1 == 1', "Rule expressions may not contain operator '<<'."],
  ['now >> 1 == 1', "Rule expressions may not contain operator '>>'."],
];

test.each(EXPRESSIONS)(
  '[R75] the problem of the expression %s has the sentence of the hosted service',
  (expression, problem) => {
    expect(problemsOf(`{"rules":{".read":"\n${expression}"}}`)).toEqual([`2: ${problem}`]);
  },
);

test.each([
  ['now & 1 == 1', "Rule expressions may not contain operator '&'."],
  ['now | 1 == 1', "Rule expressions may not contain operator '|'."],
  ['true false', 'missing ; before statement'],
  ['(true', 'Unexpected end of expression: missing ) in parenthetical'],
  ['(true false)', 'missing ) in parenthetical'],
  ['true &&', 'Unexpected end of expression'],
  ['&& true', 'syntax error'],
])('[R75] the sentence for %s begins like that of the hosted service', (expression, problem) => {
  const [first, ...more] = problemsOf(`{"rules":{".read":"\n${expression}"}}`);
  expect(first?.startsWith(`2: ${problem}`), first).toBe(true);
  expect(more).toEqual([]);
});
