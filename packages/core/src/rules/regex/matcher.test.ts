import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_WORK, WorkBudget } from '../evaluate/work-budget.ts';
import {
  type ClassItem,
  type Pattern,
  patternSize,
  type RegularExpression,
} from '../syntax/regular-expression.ts';
import { parseRegularExpression } from '../syntax/regular-expression-parser.ts';
import { patternAutomaton } from './automaton.ts';
import { RegularExpressionMatcher } from './matcher.ts';
import { regularExpressionArbitrary, unitArbitrary } from './pattern.arbitrary.ts';

function matcherOf(source: string, flags = ''): RegularExpressionMatcher {
  return new RegularExpressionMatcher(parseRegularExpression(source, flags, (index) => index));
}

test.each([
  ['foo', 'a foo', true],
  ['foo', 'fo', false],
  ['^foo', 'foobar', true],
  ['^foo', 'a foo', false],
  ['foo$', 'a foo', true],
  ['foo$', 'foobar', false],
  ['^foo$', 'foo', true],
  ['^foo$', 'foo\n', false],
  // The anchors apply to the whole pattern, not to one branch.
  ['^foo|bar$', 'bar', true],
  ['^foo|bar$', 'a bar', false],
  ['^foo|bar$', 'foo a', false],
  ['a*', '', true],
  ['^a+$', '', false],
  ['^(a|b)*c?$', 'abbac', true],
  ['^(a|b)*c?$', 'abbacc', false],
  ['^[^<>]*$', 'a b', true],
  ['^[^<>]*$', 'a<b', false],
  ['^\\d{4}-\\d{2}$', '2026-11', true],
  ['^\\d{4}-\\d{2}$', '2026-1', false],
  ['^a{2,3}$', 'aaa', true],
  ['^a{2,3}$', 'aaaa', false],
  ['^a{2,}$', 'aaaaa', true],
  ['^(ab){0}$', '', true],
  ['(ab){0}$', 'a', true],
  ['(a*)*b', 'aaaaab', true],
])('[R97] /%s/ matches %j: %j', (source, text, expected) => {
  expect(matcherOf(source).matches(text)).toBe(expected);
});

test.each([
  ['^.$', '\u{1f600}', false],
  ['^..$', '\u{1f600}', true],
  ['^\\w+$', 'A_z09', true],
  ['\\w', 'é', false],
  ['\\d', '٣', false],
  ['^\\s$', '\u00a0', true],
  ['.', '\n\r\u2028\u2029', false],
  ['.', '\u0085', true],
])('[R98] /%s/ matches the UTF-16 code units of %j: %j', (source, text, expected) => {
  expect(matcherOf(source).matches(text)).toBe(expected);
});

test.each([
  ['bar', 'BAR', true],
  ['[a-c]', 'B', true],
  ['[^a-c]', 'B', false],
  ['É', 'é', true],
  ['σ', 'ς', true],
  // An ASCII letter never matches a non-ASCII unit by case.
  ['s', 'ſ', false],
  ['k', '\u212a', false],
  ['ß', 'SS', false],
  ['\\w', 'ſ', false],
])('[R99] /%s/i matches %j: %j', (source, text, expected) => {
  expect(matcherOf(source, 'i').matches(text)).toBe(expected);
});

const EVERY_UNIT = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));

test.each(['\\d', '\\D', '\\s', '\\S', '\\w', '\\W', '.', '[\\s-a]', '[^\\wé]'])(
  '[R98] /%s/ matches the same code units as in JavaScript',
  (source) => {
    for (const flags of ['', 'i']) {
      const matcher = matcherOf(source, flags);
      const expected = new RegExp(source, flags);
      expect(EVERY_UNIT.filter((unit) => matcher.matches(unit) !== expected.test(unit))).toEqual([]);
    }
  },
);

/** Returns the JavaScript equivalent of an expression. */
function regExpOf({ pattern, ignoresCase, isAtStart, isAtEnd }: RegularExpression): RegExp {
  const source = `${isAtStart ? '^' : ''}(?:${sourceOf(pattern)})${isAtEnd ? '$' : ''}`;
  return new RegExp(source, ignoresCase ? 'i' : '');
}

function sourceOf(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'character':
      return escapeUnit(pattern.character);
    case 'any':
      return '.';
    case 'class':
      return `[${pattern.isNegated ? '^' : ''}${pattern.items.map(itemSource).join('')}]`;
    case 'repeat': {
      const { least, most } = pattern.repeat;
      return `(?:${sourceOf(pattern.piece)}){${least},${most ?? ''}}`;
    }
    case 'sequence':
      return pattern.pieces.map((piece) => `(?:${sourceOf(piece)})`).join('');
    case 'alternation':
      return `(?:${pattern.branches.map(sourceOf).join('|')})`;
    default:
      return pattern satisfies never;
  }
}

function itemSource(item: ClassItem): string {
  return item.kind === 'named' ? `\\${item.name}` : `${escapeUnit(item.from)}-${escapeUnit(item.to)}`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

test('[R97][R98][R99] the matcher agrees with JavaScript on texts of any code units', () => {
  let foundCount = 0;
  let textCount = 0;
  fc.assert(
    fc.property(
      regularExpressionArbitrary,
      fc.array(fc.array(unitArbitrary, { maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      (expression, texts) => {
        const matcher = new RegularExpressionMatcher(expression);
        const regExp = regExpOf(expression);
        for (const text of texts.map((units) => units.join(''))) {
          const isFound = regExp.test(text);
          expect(matcher.matches(text)).toBe(isFound);
          textCount++;
          if (isFound) foundCount++;
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(foundCount).toBeGreaterThan(textCount / 10);
  expect(foundCount).toBeLessThan((textCount * 9) / 10);
});

test.each([
  ['(a*)*b', 'a'],
  ['(a|aa)+$', 'a'],
  ['(x+x+)+y', 'x'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['(a?){100}a{100}b', 'a'],
  ['(.*a){20}b', 'a'],
])('[R100] /%s/ computes steps for the first code units only, even in a long text', (source, unit) => {
  const [short, long] = [200, 20_000].map((length) => {
    const matcher = matcherOf(source);
    matcher.matches(`${unit.repeat(length)}!`);
    return matcher.steps;
  });
  expect(long).toBe(short);
});

function patternOf(source: string): Pattern {
  return parseRegularExpression(source, '', (index) => index).pattern;
}

function statesOf(source: string): number {
  return patternAutomaton(parseRegularExpression(source, '', (index) => index)).states.length;
}

/** Returns a text that looks random but is the same on every run. */
function pseudoRandomText(length: number): string {
  let state = 1;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += state & 0x10000 ? 'a' : 'b';
  }
  return text;
}

test.each(['(a|b)*a(a|b){14}c', '(a|b)*a(a|b){100}c', '(([ab]{0,30}a){0,30})c'])(
  '[R100] /%s/, for which nearly every step is new, visits at most as many states per code unit as its automaton has',
  (source) => {
    const matcher = matcherOf(source);
    const text = pseudoRandomText(5_000);
    expect(matcher.matches(text)).toBe(false);
    expect(matcher.steps).toBeGreaterThan(text.length);
    expect(matcher.steps).toBeLessThanOrEqual(text.length * statesOf(source));
  },
);

test('[R100] steps that were removed from the cache are computed again, with the same result', () => {
  const source = '^(a|b)*a(a|b){14}c$';
  const matcher = matcherOf(source);
  const regExp = new RegExp(source);
  for (let length = 1; length < 3_000; length += 97) {
    const text = `${pseudoRandomText(length)}c`;
    expect(matcher.matches(text)).toBe(regExp.test(text));
  }
});

test.each(['@[a-z@.]{1,64}\\.com$', '(a|b)*a(a|b){14}c', '^b{1,500}c'])(
  '[R101] a match of /%s/ has the same cost with an empty and with a filled cache',
  (source) => {
    const long = `${pseudoRandomText(20_000)}@${'a.'.repeat(500)}`;
    const used = matcherOf(source);
    for (const text of [long, 'b@', long.slice(1), long]) {
      const budgets = [new WorkBudget(), new WorkBudget()] as const;
      expect(used.matches(text, budgets[0])).toBe(matcherOf(source).matches(text, budgets[1]));
      expect(budgets[0].left).toBe(budgets[1].left);
      expect(used.matches(text, new WorkBudget(MAX_WORK - budgets[0].left))).toBe(used.matches(text));
      expect(used.matches(text, new WorkBudget(MAX_WORK - budgets[0].left - 1))).toBeUndefined();
    }
  },
);

test('[R100] texts that constantly lead to new sets of states fill little of the cache', () => {
  const matcher = matcherOf('(a|b)*a(a|b){14}c');
  const texts = Array.from({ length: 20 }, (_, i) => pseudoRandomText(20_000 + i).slice(i * 500));
  for (const text of texts) expect(matcher.matches(text)).toBe(false);
  const units = texts.reduce((total, { length }) => total + length, 0);
  expect(matcher.cachedStepCount).toBeLessThanOrEqual(4096 + units / 64 + 1);
});

test('[R260] an automaton has at most four times as many states as the size of its pattern, plus one, however repeats are nested', () => {
  fc.assert(
    fc.property(regularExpressionArbitrary, (expression) => {
      const { states } = patternAutomaton(expression);
      expect(states.length).toBeLessThanOrEqual(4 * patternSize(expression.pattern) + 1);
    }),
    { numRuns: 2_000 },
  );
  for (const source of [
    `a${'+'.repeat(50)}`,
    `${'('.repeat(40)}a${'+)'.repeat(40)}`,
    '((a{3,}){3,}){3,}',
    'a{0,9}*+{0,1}',
  ])
    expect(statesOf(source)).toBeLessThanOrEqual(4 * patternSize(patternOf(source)) + 1);
});

test('[R261] the code units of a class are read once, however often the class is repeated', () => {
  const ranges = Array.from({ length: 2_000 }, (_, i) => `\\u${(0x4e00 + 2 * i).toString(16)}`).join('');
  const matcher = matcherOf(`^[${ranges}]{1,1000}$`);
  expect(matcher.setCount).toBe(1);
  expect(matcher.matches('\u4e00\u4e02')).toBe(true);
  expect(matcher.matches('\u4e01')).toBe(false);
});
