import { expect, test } from 'vitest';
import { parseRulesDocument } from './document.ts';
import { type Expression, subExpressions } from './expression.ts';
import { MAX_EXPRESSION_LENGTH, MAX_LEVELS, MAX_NESTING, MAX_PARTS, parseExpression } from './parser.ts';
import { printExpression } from './printer.ts';
import { ExpressionSyntaxError, type Locate } from './problems.ts';
import { withoutSpans } from './without-spans.fixture.ts';

const parse = (text: string) => parseExpression(text, (index) => index);

/**
 * Returns the offset and message of the problem in a text, or an empty string when the text is an expression.
 */
function problemOf(text: string, locate: Locate = (index) => index): string {
  try {
    parseExpression(text, locate);
    return '';
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return `${error.offset}: ${error.message}`;
    throw error;
  }
}

/** Formats an expression with every operator in parentheses, to show its grouping. */
function grouped(expression: Expression): string {
  switch (expression.kind) {
    case 'unary':
      return `(${expression.operator}${grouped(expression.operand)})`;
    case 'binary':
      return `(${grouped(expression.left)}${expression.operator}${grouped(expression.right)})`;
    case 'conditional':
      return `(${subExpressions(expression).map(grouped).join(' ')})`;
    case 'member':
      return `${grouped(expression.target)}.${expression.name}`;
    default:
      return printExpression(expression);
  }
}

test.each([
  ['true', { kind: 'literal', value: true }],
  ['false', { kind: 'literal', value: false }],
  ['null', { kind: 'literal', value: null }],
  ['12.5', { kind: 'literal', value: 12.5 }],
  ['"a"', { kind: 'literal', value: 'a' }],
  ['auth', { kind: 'variable', name: 'auth' }],
  ['$room_1', { kind: 'variable', name: '$room_1' }],
  ['nullable', { kind: 'variable', name: 'nullable' }],
  ['a.in', { kind: 'member', target: { kind: 'variable', name: 'a' }, name: 'in' }],
  ['!a', { kind: 'unary', operator: '!', operand: { kind: 'variable', name: 'a' } }],
  ['[]', { kind: 'array', items: [] }],
  [
    '[1, b]',
    {
      kind: 'array',
      items: [
        { kind: 'literal', value: 1 },
        { kind: 'variable', name: 'b' },
      ],
    },
  ],
  ['f()', { kind: 'call', callee: { kind: 'variable', name: 'f' }, args: [] }],
  [
    'a == b',
    {
      kind: 'binary',
      operator: '==',
      left: { kind: 'variable', name: 'a' },
      right: { kind: 'variable', name: 'b' },
    },
  ],
  [
    'a ? b : 1',
    {
      kind: 'conditional',
      condition: { kind: 'variable', name: 'a' },
      consequent: { kind: 'variable', name: 'b' },
      alternate: { kind: 'literal', value: 1 },
    },
  ],
  [
    'a.b(1)',
    {
      kind: 'call',
      callee: { kind: 'member', target: { kind: 'variable', name: 'a' }, name: 'b' },
      args: [{ kind: 'literal', value: 1 }],
    },
  ],
])('[R25] %s is an expression', (text, expression) => {
  expect(withoutSpans(parse(text))).toEqual(expression);
});

test.each([
  ['a+b*c', '(a+(b*c))'],
  ['a*b+c', '((a*b)+c)'],
  ['a-b-c', '((a-b)-c)'],
  ['a/b%c*d', '(((a/b)%c)*d)'],
  ['a<b==c>=d', '((a<b)==(c>=d))'],
  ['a==b!=c===d!==e', '((((a==b)!=c)===d)!==e)'],
  ['a<b<=c>d', '(((a<b)<=c)>d)'],
  ['a||b&&c||d', '((a||(b&&c))||d)'],
  ['a&&b==c', '(a&&(b==c))'],
  ['!a==b', '((!a)==b)'],
  ['!a.b', '(!a.b)'],
  ['!-!a', '(!(-(!a)))'],
  ['a- -b', '(a-(-b))'],
  ['-a*b', '((-a)*b)'],
  ['a?b:c?d:e', '(a b (c d e))'],
  ['a?b?c:d:e', '(a (b c d) e)'],
  ['a||b?c&&d:e', '((a||b) (c&&d) e)'],
  ['a?.5:b', '(a 0.5 b)'],
  ['(a||b)&&c', '((a||b)&&c)'],
  ['a-(b-c)', '(a-(b-c))'],
  ['a/b/c', '((a/b)/c)'],
])('[R26] %s is grouped as %s', (text, groups) => {
  expect(grouped(parse(text))).toBe(groups);
});

test.each([
  [' \t\r\n\u00a0\ufeffa\n'],
  ['a// to the end of the line'],
  ['// before\na'],
  ['/* a */ /**/ a /* * / */'],
])('[R27] %j is an expression', (text) => expect(printExpression(parse(text))).toBe('a'));

test('[R27] space and comments are allowed between any two tokens', () => {
  const words = [
    '!',
    'a',
    '.',
    'b',
    '[',
    '"c"',
    ']',
    '(',
    '1',
    ',',
    '[',
    ']',
    ')',
    '&&',
    '-',
    'd',
    '<',
    '.5',
  ];
  expect(withoutSpans(parse(words.join('/* x */\n')))).toEqual(withoutSpans(parse(words.join(''))));
});

test.each([
  ['0', 0],
  ['10', 10],
  ['1.', 1],
  ['.5', 0.5],
  ['1.25e2', 125],
  ['1E-2', 0.01],
  ['1e+2', 100],
  ['0x1F', 31],
  ['9007199254740993', 9007199254740992],
])('[R28] %s is the number %d', (text, value) => {
  expect(parse(text)).toMatchObject({ kind: 'literal', value });
});

test.each([
  ['010', "0: invalid number: '010' is neither decimal nor hexadecimal."],
  ['1a', "0: invalid number: '1a' is neither decimal nor hexadecimal."],
  ['1e', "0: invalid number: '1e' is neither decimal nor hexadecimal."],
  ['1_000', "0: invalid number: '1_000' is neither decimal nor hexadecimal."],
  ['10n', "0: invalid number: '10n' is neither decimal nor hexadecimal."],
  ['1 + 1e999', '4: invalid number: it is too large.'],
])('[R28] %s is not a number', (text, problem) => expect(problemOf(text)).toBe(problem));

test.each([
  [`'a"b'`, 'a"b'],
  [`"a'b"`, "a'b"],
  [`''`, ''],
  [`'\\'\\"\\\\\\/'`, '\'"\\/'],
  [`'\\b\\f\\n\\r\\t\\v\\0'`, '\b\f\n\r\t\v\0'],
  [`'\\x41\\u00e9\\ud83d\\ude00'`, 'Aé\ud83d\ude00'],
  [`'\\q\\(\\é'`, 'q(é'],
  [`'a\\\nb\\\r\nc'`, 'abc'],
  [`'// no /* comment */'`, '// no /* comment */'],
  [`'tab\there'`, 'tab\there'],
])('[R29] %s is the string %j', (text, value) => {
  expect(parse(text)).toMatchObject({ kind: 'literal', value });
});

test.each([
  [`'abc`, "0: unterminated string literal: the closing ' is missing."],
  [`a == "b`, '5: unterminated string literal: the closing " is missing.'],
  [`'a\nb'`, "0: unterminated string literal: the closing ' is missing."],
  [`'a\\'`, "0: unterminated string literal: the closing ' is missing."],
  [`'a\\u12'`, "2: invalid escape '\\u': four hexadecimal digits must follow."],
  [`'a\\xg1'`, "2: invalid escape '\\x': two hexadecimal digits must follow."],
  [`'\\1'`, "1: invalid escape '\\1': write a character by its number as \\u and four hexadecimal digits."],
  [`'\\01'`, "1: invalid escape '\\0': write a character by its number as \\u and four hexadecimal digits."],
])('[R29] %j is not a string', (text, problem) => expect(problemOf(text)).toBe(problem));

test.each([
  ['a["b"]', 'a.b'],
  ["a['b c']", "a['b c']"],
  ['a[("b")]', 'a.b'],
  ['a["b"]["c"]()', 'a.b.c()'],
])('[R30] %s names a member', (text, printed) => {
  expect(printExpression(parse(text))).toBe(printed);
  expect(withoutSpans(parse(text))).toEqual(withoutSpans(parse(printed)));
});

test.each([['a["b" + "c"]'], ['a[$b]'], ['a[0]'], ['a[null]']])('[R30] %s has a computed key', (text) => {
  expect(parse(text)).toMatchObject({ kind: 'subscript' });
});

/** Returns the document texts of an expression and of all its parts. */
function textsIn(document: string, expression: Expression): readonly string[] {
  const text = document.slice(expression.span.start, expression.span.end);
  return [text, ...subExpressions(expression).flatMap((part) => textsIn(document, part))];
}

test.each([
  ['"a  + b"', ['a  + b', 'a', 'b']],
  ['" (a + (b)) * c "', ['(a + (b)) * c', 'a + (b)', 'a', 'b', 'c']],
  ['"!(a) "', ['!(a)', 'a']],
  ['"(a).b[ \'c\' ] ( d )"', ["(a).b[ 'c' ] ( d )", "(a).b[ 'c' ]", '(a).b', 'a', 'd']],
  [
    '"a == \\"b\\"\\n ? [c] : \\u0064 "',
    ['a == \\"b\\"\\n ? [c] : \\u0064', 'a == \\"b\\"', 'a', '\\"b\\"', '[c]', 'c', '\\u0064'],
  ],
  ['"a.matches(/\\\\w/i)"', ['a.matches(/\\\\w/i)', 'a.matches', 'a', '/\\\\w/i']],
])('[R31] the parts of %s have the document texts %j', (document, texts) => {
  const value = parseRulesDocument(document);
  if (value.kind !== 'string') throw new Error('The document is not a string');
  expect(textsIn(document, parseExpression(value.value, value.locate))).toEqual(texts);
});

test.each([
  ['"\\"a\\" & b"', '7: '],
  ['"a == \'\\\\1\'"', '7: invalid escape'],
  ['"\\ta.matches(/(b|)/)"', '17: invalid regular'],
])('[R31] the problem of %s has its offset in the document: %s', (document, problem) => {
  const value = parseRulesDocument(document);
  if (value.kind !== 'string') throw new Error('The document is not a string');
  expect(problemOf(value.value, value.locate)).toContain(problem);
});

test.each<readonly [string, string]>([
  ...['a = 1', 'a += 1', 'a.b -= 1', 'a **= 2', 'a >>>= 1', 'a ??= b', '(a = 1)', 'f(a = 1)'].map(
    (text) => [text, 'Rule expressions may not contain assignments.'] as const,
  ),
  ...['^', '<<', '>>', '>>>', '**', '??', 'in', 'instanceof', ','].map(
    (operator) => [`a ${operator} b`, `Rule expressions may not contain operator '${operator}'.`] as const,
  ),
  ...['~', '++', '--', 'typeof ', 'new ', 'delete ', 'void ', '...', 'await ', 'yield '].map(
    (operator) =>
      [`${operator}a`, `Rule expressions may not contain operator '${operator.trim()}'.`] as const,
  ),
  ['a++', "Rule expressions may not contain operator '++'."],
  ['a?.b', "Rule expressions may not contain operator '?.'."],
  ['a & b', `Rule expressions may not contain operator '&'. Write && for "and".`],
  ['a | b', `Rule expressions may not contain operator '|'. Write || for "or".`],
  ['+a', "Rule expressions may not contain operator '+' before a single value."],
  ['a - +b', "Rule expressions may not contain operator '+' before a single value."],
  ['true;', "Rule expressions may not contain ';': a rule is one expression."],
  ['a; b', "Rule expressions may not contain ';': a rule is one expression."],
  ...['var a = 1', 'let a', 'if (a) b', 'return a', 'for (;;) a', 'throw a', 'a ? return : b'].map(
    (text) => [text, 'Rule expressions may not contain statements: a rule is one expression.'] as const,
  ),
  ...['function () {}', 'a => b', '(a) => b'].map(
    (text) => [text, 'Rule expressions may not contain functions.'] as const,
  ),
  ['class {}', 'Rule expressions may not contain classes.'],
  ['{}', 'Rule expressions may not contain object literals.'],
  ['f({a: 1})', 'Rule expressions may not contain object literals.'],
  ['`a`', 'Rule expressions may not contain template strings. Join strings with +.'],
  ['a`b`', 'Rule expressions may not contain template strings. Join strings with +.'],
])('[R32] %s is rejected: %s', (text, problem) => {
  expect(problemOf(text).replace(/^\d+: /, '')).toBe(problem);
});

test.each([
  ['', '0: Unexpected end of expression: a value is missing.'],
  [' // nothing', '11: Unexpected end of expression: a value is missing.'],
  ['a &&', '4: Unexpected end of expression: a value is missing.'],
  ['&& a', "0: syntax error: a value is missing, found '&&'."],
  ['a == == b', "5: syntax error: a value is missing, found '=='."],
  ['()', "1: syntax error: a value is missing, found ')'."],
  ['f(a,)', "4: syntax error: a value is missing, found ')'."],
  ['a b', "2: missing ; before statement, found 'b'."],
  ['a)', "1: missing ; before statement, found ')'."],
  ['a 1', "2: missing ; before statement, found '1'."],
  [`a '${'x'.repeat(100)}'`, `2: missing ; before statement, found ''${'x'.repeat(39)}'.`],
  ['(a', '2: Unexpected end of expression: missing ) in parenthetical.'],
  ['(a]', "2: missing ) in parenthetical, found ']'."],
  ['f(a b)', "4: missing ) after argument list, found 'b'."],
  ['[a', '2: Unexpected end of expression: missing ] after element list.'],
  ['a[b', '3: Unexpected end of expression: missing ] in index expression.'],
  ['a ? b', '5: Unexpected end of expression: missing : in conditional expression.'],
  ['a ? b, c', "5: Rule expressions may not contain operator ','."],
  ['a.', '2: Unexpected end of expression: missing name after . operator.'],
  ["a.'b'", "2: missing name after . operator, found ''b''."],
  ['a /* b', '2: unterminated comment: the closing */ is missing.'],
  ['a == /b', '5: unterminated regular expression literal: the closing / is missing.'],
  ['a == /[/]', '5: unterminated regular expression literal: the closing / is missing.'],
  ['a == /b\n/', '5: unterminated regular expression literal: the closing / is missing.'],
  ['a @ b', "2: illegal character '@': it may only occur in a string."],
  ['a \u0000', "2: illegal character '\\x00': it may only occur in a string."],
])('[R33] %j is rejected: %s', (text, problem) => expect(problemOf(text)).toBe(problem));

test('[R34] the length of an expression is limited', () => {
  const text = `'${'x'.repeat(MAX_EXPRESSION_LENGTH - 2)}'`;
  expect(problemOf(text)).toBe('');
  expect(problemOf(`${text} `)).toBe(`0: The expression is longer than ${MAX_EXPRESSION_LENGTH} characters.`);
});

const NEST = MAX_NESTING - 1;
const TOO_DEEP = `The expression is nested more than ${MAX_NESTING} levels deep.`;

test.each([
  ['(', 'a', ')'],
  ['!', 'a', ''],
  ['!-', 'a', ''],
  ['f(', 'a', ')'],
  ['[', 'a', ']'],
  ['a[', 'b', ']'],
  ['a ? ', 'b', ' : c'],
  ['a ? b : ', 'c', ''],
  ['a||b&&c==d<e+f*(', 'g', ')'],
])('[R34] nesting with %s is limited', (before, middle, after) => {
  const each = before === '!-' ? 2 : 1;
  const nested = (levels: number) => `${before.repeat(levels / each)}${middle}${after.repeat(levels / each)}`;
  expect(problemOf(nested(each === 2 ? NEST - 1 : NEST))).toBe('');
  expect(problemOf(nested(NEST + 1))).toContain(TOO_DEEP);
  expect(problemOf(nested(20_000 / before.length))).toContain(TOO_DEEP);
});

test.each([['||a'], ['.a'], ['+1'], ['()'], ['[a]']])('[R34] a chain of %s is limited', (link) => {
  const chain = (links: number) => `a${link.repeat(links)}`;
  expect(problemOf(chain(MAX_LEVELS - 2))).toBe('');
  expect(problemOf(chain(MAX_LEVELS))).toBe(
    `0: The expression is more than ${MAX_LEVELS} operators, members or calls deep. Group long chains of operators with parentheses.`,
  );
});

test('[R34] the number of parts is limited', () => {
  const list = (items: number) => `f(${Array.from({ length: items }, () => 'a').join()})`;
  expect(problemOf(list(MAX_PARTS - 2))).toBe('');
  expect(problemOf(list(MAX_PARTS + 1))).toContain(`The expression has more than ${MAX_PARTS} parts.`);
});
