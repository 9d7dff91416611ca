import { expect, test } from 'vitest';
import { ExpressionSyntaxError } from './problems.ts';
import {
  type ClassItem,
  MAX_PATTERN_SIZE,
  MAX_REPEATS,
  type Pattern,
  type Repeat,
} from './regular-expression.ts';
import { MAX_NESTING, parseRegularExpression } from './regular-expression-parser.ts';

const parse = (source: string, flags = '') => parseRegularExpression(source, flags, (index) => index);

/** Returns the offset and message of the problem in a pattern, or an empty string when it has none. */
function problemOf(source: string, flags = ''): string {
  try {
    parse(source, flags);
    return '';
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return `${error.offset}: ${error.message.replace('invalid regular expression: ', '')}`;
  }
}

const a: Pattern = { kind: 'character', character: 'a' };
const b: Pattern = { kind: 'character', character: 'b' };
const c: Pattern = { kind: 'character', character: 'c' };
const any: Pattern = { kind: 'any' };

function sequence(...pieces: readonly Pattern[]): Pattern {
  return { kind: 'sequence', pieces };
}

function alternation(...branches: readonly Pattern[]): Pattern {
  return { kind: 'alternation', branches };
}

/** Returns a `character` pattern for each UTF-16 code unit of a text. */
function unitPatterns(text: string): readonly Pattern[] {
  return text.split('').map((character) => ({ kind: 'character', character }));
}

function repeat(piece: Pattern, least: number, most: Repeat['most']): Pattern {
  return { kind: 'repeat', piece, repeat: { least, most } };
}

function oneOf(...items: readonly ClassItem[]): Pattern {
  return { kind: 'class', isNegated: false, items };
}

function range(from: string, to = from): ClassItem {
  return { kind: 'range', from, to };
}

function characters(text: string): Pattern {
  return sequence(...Array.from(text, (character) => ({ kind: 'character', character }) as const));
}

test.each<readonly [string, Pattern]>([
  ['a', a],
  ['ab', sequence(a, b)],
  ['a|bc|.', alternation(a, sequence(b, c), any)],
  ['(a)', a],
  ['(ab)c', sequence(sequence(a, b), c)],
  ['a(b|c)', sequence(a, alternation(b, c))],
  ['ab*', sequence(a, repeat(b, 0, null))],
  ['(ab)+', repeat(sequence(a, b), 1, null)],
  ['a?', repeat(a, 0, 1)],
  ['a{2}b{3,}c{4,5}', sequence(repeat(a, 2, 2), repeat(b, 3, null), repeat(c, 4, 5))],
  ['a{0}', repeat(a, 0, 0)],
  ['a*{2}', repeat(repeat(a, 0, null), 2, 2)],
  ['a]}-', characters('a]}-')],
  [
    '\ud83d\ude00',
    sequence({ kind: 'character', character: '\ud83d' }, { kind: 'character', character: '\ude00' }),
  ],
])('[R37] %s is accepted', (source, pattern) => {
  expect(parse(source)).toEqual({ source, ignoresCase: false, isAtStart: false, isAtEnd: false, pattern });
});

test('[R37] the flag i is accepted', () => {
  expect(parse('a', 'i').ignoresCase).toBe(true);
  for (const flags of ['g', 'ig', 'ii', 'm', 'u', 'x1'])
    expect(problemOf('ab', flags)).toBe(
      `3: invalid flag after regular expression: only 'i' is supported, not '${flags}'.`,
    );
});

test.each([
  ['^a', true, false, a],
  ['a$', false, true, a],
  ['^a|b$', true, true, alternation(a, b)],
  ['a\\$', false, false, characters('a$')],
  ['[$]', false, false, oneOf(range('$'))],
])('[R38] the anchors of %s apply to the whole pattern', (source, isAtStart, isAtEnd, pattern) => {
  expect(parse(source)).toMatchObject({ isAtStart, isAtEnd, pattern });
});

test.each([
  ['(^foo$|bar)', "1: '^' may only be the first character of the pattern. Escape it as '\\^'."],
  ['a^', "1: '^' may only be the first character of the pattern. Escape it as '\\^'."],
  ['^^a', "1: '^' may only be the first character of the pattern. Escape it as '\\^'."],
  ['a$b', "1: '$' may only be the last character of the pattern. Escape it as '\\$'."],
  ['(a$)', "2: '$' may only be the last character of the pattern. Escape it as '\\$'."],
])('[R38] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

test.each(['|', ')', '(', '?', '+', '*', '}', '{'])('[R39] %s alone is a literal character', (source) => {
  expect(parse(source).pattern).toEqual({ kind: 'character', character: source });
});

test.each([
  ['(})', { kind: 'character', character: '}' } as const],
  ['(+|a)', alternation({ kind: 'character', character: '+' }, a)],
  ['|a', characters('|a')],
  [')a', characters(')a')],
  ['(a', characters('(a')],
  ['?a', characters('?a')],
  ['+a', characters('+a')],
  ['*a', characters('*a')],
  ['}a', characters('}a')],
  ['{2}a', characters('{2}a')],
  ['(?:ab)', characters('?:ab')],
  ['(|a)', characters('|a')],
  ['()a)', characters(')a')],
  ['b(*a|c)', sequence(b, alternation(characters('*a'), c))],
  ['((a)', sequence({ kind: 'character', character: '(' }, a)],
])(
  '[R39] in %s, a special character at the start of a pattern, group or alternative is literal',
  (source, pattern) => {
    expect(parse(source).pattern).toEqual(pattern);
  },
);

test.each([
  ['()', "1: ')' closes no group. Escape it as '\\)'."],
  ['?*a', "1: there is nothing to repeat before this repeat. Escape it as '\\*'."],
  ['^*a', "1: there is nothing to repeat before this repeat. Escape it as '\\*'."],
  ['b|+a', "2: there is nothing to repeat before this repeat. Escape it as '\\+'."],
])('[R39] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

test.each([
  ['\\.\\/\\\\\\-\\q', characters('./\\-q')],
  ['\\n\\r\\t\\f\\v', characters('\n\r\t\f\v')],
  ['\\u00e9\\x41', characters('éA')],
  ['\\d', oneOf({ kind: 'named', name: 'd' })],
  ['\\W', oneOf({ kind: 'named', name: 'W' })],
])('[R40] %s is accepted', (source, pattern) => expect(parse(source).pattern).toEqual(pattern));

test.each([
  ['a\\b', "1: '\\b': word boundaries are not supported."],
  ['\\B', "0: '\\B': word boundaries are not supported."],
  ['(a)\\1', "3: '\\1': references to groups are not supported."],
  ['\\u12', "0: '\\u': four hexadecimal digits must follow."],
  ['[\\x1]', "1: '\\x': two hexadecimal digits must follow."],
])('[R40] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

test.each([
  ['[abc]', oneOf(range('a'), range('b'), range('c'))],
  ['[^a-z0-9]', { kind: 'class', isNegated: true, items: [range('a', 'z'), range('0', '9')] } as const],
  ['[-a-]', oneOf(range('-'), range('a'), range('-'))],
  ['[a-c-e]', oneOf(range('a', 'c'), range('-'), range('e'))],
  ['[\\w-x]', oneOf({ kind: 'named', name: 'w' }, range('-'), range('x'))],
  ['[\\--\\]]', oneOf(range('-', ']'))],
  ['[(|)$^.*+?{}/[]', oneOf(...Array.from('(|)$^.*+?{}/[', (character) => range(character)))],
  ['[\\u4e00-\\u9fff]', oneOf(range('\u4e00', '\u9fff'))],
])('[R41] %s is accepted', (source, pattern) => expect(parse(source).pattern).toEqual(pattern));

test.each([
  ['\u{1f600}{2}', repeat(sequence(...unitPatterns('\u{1f600}')), 2, 2)],
  ['a\u{1f600}+', sequence(a, repeat(sequence(...unitPatterns('\u{1f600}')), 1, null))],
  [
    '\\ud83d\\ude00?',
    sequence(
      ...unitPatterns('\u{1f600}').slice(0, 1),
      repeat({ kind: 'character', character: '\ude00' }, 0, 1),
    ),
  ],
])('[R262] %s repeats the whole character, unless its halves are escaped', (source, pattern) => {
  expect(parse(source).pattern).toEqual(pattern);
});

test.each(['[\u{1f600}-\u{1f602}]', '[a\u{1f600}]', '[\u{1f600}]'])('[R262] %s is rejected', (source) => {
  expect(problemOf(source)).toContain(
    'is two UTF-16 units and cannot be in a class. Write alternatives instead',
  );
});

test.each([
  ['a[]', "1: the class is empty. Escape ']' as '\\]'."],
  ['[^]', "0: the class is empty. Escape ']' as '\\]'."],
  ['a[b', "1: the class is not closed by ']'."],
  ['[z-a]', '1: a range is out of order. Write the lower character first.'],
  ['[a-\\d]', "1: a range may not end with '\\d'."],
])('[R41] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

const NO_REPEAT = "'{' does not begin a repeat such as {2}, {2,} or {2,5}. Escape it as '\\{'.";

test.each([
  ['a{', `1: ${NO_REPEAT}`],
  ['a{x}', `1: ${NO_REPEAT}`],
  ['a{,2}', `1: ${NO_REPEAT}`],
  ['a{02}', `1: ${NO_REPEAT}`],
  ['a{3,2}', '1: the numbers of the repeat {3,2} are out of order.'],
  ['a*?', "2: non-greedy repeats are not supported. Remove the '?'."],
  ['a{2}?', "4: non-greedy repeats are not supported. Remove the '?'."],
  [`a${'*'.repeat(1_000)}`, `${MAX_NESTING + 1 + 1}: more than ${MAX_NESTING} consecutive repeats.`],
])('[R42] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

const WRITTEN_OUT = 'with its repeats written out,';

test.each([
  [`a{${MAX_REPEATS}}`, ''],
  [`a{${MAX_REPEATS + 1}}`, `1: a repeat count may be at most ${MAX_REPEATS}.`],
  [`a{0,${MAX_REPEATS + 1}}`, `1: a repeat count may be at most ${MAX_REPEATS}.`],
  [`a{${'9'.repeat(400)},}`, `1: a repeat count may be at most ${MAX_REPEATS}.`],
  ['(a{10}){100}', ''],
  ['[a-zA-Z0-9._-]{1000}', ''],
  ['a***{1000}', ''],
  [
    'a****{1000}',
    `0: ${WRITTEN_OUT} it is longer than ${MAX_PATTERN_SIZE} characters. Use lower repeat counts.`,
  ],
  [
    '(a{10}){101}',
    `0: ${WRITTEN_OUT} a part of it occurs more than ${MAX_REPEATS} times. Use lower repeat counts.`,
  ],
  ['a{1000}b{1000}c{1000}d{1000}', ''],
  [
    'a{1000}b{1000}c{1000}d{1000}e',
    `0: ${WRITTEN_OUT} it is longer than ${MAX_PATTERN_SIZE} characters. Use lower repeat counts.`,
  ],
])('[R42] the check of the repeat counts of %s reports "%s"', (source, problem) =>
  expect(problemOf(source)).toBe(problem),
);

test.each([
  ['', "0: an alternative is empty. Make a part optional with '?' instead."],
  ['^$', "1: an alternative is empty. Make a part optional with '?' instead."],
  ['^(foo|)$', "6: an alternative is empty. Make a part optional with '?' instead."],
  ['a||b', "2: an alternative is empty. Make a part optional with '?' instead."],
  ['a()', "1: '(' opens a group that is empty or not closed. Escape it as '\\('."],
  ['a(b', "1: '(' opens a group that is empty or not closed. Escape it as '\\('."],
  ['a)', "1: ')' closes no group. Escape it as '\\)'."],
  ['(?=a)', "1: lookahead, lookbehind and named groups are not supported. Escape '?' as '\\?'."],
  ['a(?!b)', "2: lookahead, lookbehind and named groups are not supported. Escape '?' as '\\?'."],
  ['(?<=a)b', "1: lookahead, lookbehind and named groups are not supported. Escape '?' as '\\?'."],
  ['(?<a>b)', "1: lookahead, lookbehind and named groups are not supported. Escape '?' as '\\?'."],
])('[R43] %s is rejected', (source, problem) => expect(problemOf(source)).toBe(problem));

test('[R43] the nesting of groups is limited', () => {
  const nested = (groups: number) => `${'('.repeat(groups)}a${')'.repeat(groups)}`;
  expect(problemOf(nested(MAX_NESTING))).toBe('');
  const problem = `${MAX_NESTING}: more than ${MAX_NESTING} groups are nested.`;
  for (const groups of [MAX_NESTING + 1, 20_000]) expect(problemOf(nested(groups))).toBe(problem);
});
