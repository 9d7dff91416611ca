import { ExpressionSyntaxError, type Locate } from './problems.ts';
import {
  type ClassItem,
  MAX_REPEATS,
  type NamedClass,
  type Pattern,
  type RegularExpression,
  type Repeat,
  requirePatternSize,
} from './regular-expression.ts';

/** Matches one element of a pattern. An escape sequence or a whole class counts as one element. */
const PATTERN_ELEMENT = /\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]|[\s\S]/g;

/**
 * Returns the indexes of the parentheses that open a group without a closing parenthesis. A closing
 * parenthesis at the start of a group or of the whole pattern is a literal character.
 */
function findUnmatchedParentheses(source: string): ReadonlySet<number> {
  const open: number[] = [];
  let isStart = true;
  for (const { 0: element, index } of source.matchAll(PATTERN_ELEMENT)) {
    if (element === '(') open.push(index);
    else if (element === ')' && !isStart) open.pop();
    isStart = element === '(';
  }
  return new Set(open);
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([dDsSwW])|([\s\S]))/y;

/** Control characters by the letter after the backslash. Any other escaped character represents itself. */
const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/**
 * The problem of each unsupported or incomplete escape sequence, by the character after the backslash. Without an error,
 * the sequence would silently match that letter or digit.
 */
const UNSUPPORTED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ...['b', 'B'].map((letter) => [letter, 'word boundaries are not supported'] as const),
  ...Array.from('0123456789', (digit) => [digit, 'references to groups are not supported'] as const),
  ['u', 'four hexadecimal digits must follow'],
  ['x', 'two hexadecimal digits must follow'],
]);

/**
 * Parses the escape sequence at `index`. Returns the characters it represents and its end index. Throws an
 * `ExpressionSyntaxError` for unsupported escape sequences.
 */
function readPatternEscape(
  source: string,
  index: number,
  locate: Locate,
): { readonly item: ClassItem; readonly end: number } {
  ESCAPE.lastIndex = index;
  const [whole = '\\', unit, byte, name, character = ''] = ESCAPE.exec(source) ?? [];
  const end = index + whole.length;
  if (name !== undefined && isNamedClass(name)) return { item: { kind: 'named', name }, end };
  const problem = UNSUPPORTED_ESCAPES.get(character);
  if (problem !== undefined)
    throw new ExpressionSyntaxError(locate(index), `invalid regular expression: '${whole}': ${problem}.`);
  const digits = unit ?? byte;
  const meaning =
    digits === undefined
      ? (CONTROL_ESCAPES.get(character) ?? character)
      : String.fromCharCode(Number.parseInt(digits, 16));
  return { item: { kind: 'range', from: meaning, to: meaning }, end };
}

function isNamedClass(letter: string): letter is NamedClass {
  return 'dDsSwW'.includes(letter);
}

/**
 * Maximum nesting depth of groups, and maximum number of consecutive repeats. It limits the stack of the code that walks a
 * pattern.
 */
export const MAX_NESTING = 50;

/**
 * Characters that are literal at the start of a group or of the whole pattern, and have a special meaning
 * elsewhere.
 */
const METACHARACTERS: ReadonlySet<string> = new Set('|)(?+}{*');
const REPEATS: ReadonlySet<string> = new Set('*+?{');
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/y;
const COUNTS = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;
const NOTHING_TO_REPEAT = 'there is nothing to repeat before this repeat.';
const MISPLACED_MESSAGES: Readonly<Record<string, string>> = {
  '^': "'^' may only be the first character of the pattern.",
  $: "'$' may only be the last character of the pattern.",
  ')': "')' closes no group.",
  '(': "'(' opens a group that is empty or not closed.",
};
/**
 * Matches the start of a lookaround or a named group of other dialects. In the rules language, these characters would
 * silently match themselves.
 */
const LOOKAROUND_OR_NAME = /\?[=!<]/y;

/**
 * Parses a regular expression literal of the rules language. `source` is the text between the slashes, `flags` the
 * text after them. `locate` returns offsets in the document. Throws an `ExpressionSyntaxError` for an invalid pattern
 * or flag.
 */
export function parseRegularExpression(source: string, flags: string, locate: Locate): RegularExpression {
  if (flags !== '' && flags !== 'i')
    throw new ExpressionSyntaxError(
      locate(source.length + 1),
      `invalid flag after regular expression: only 'i' is supported, not '${flags.slice(0, 40)}'.`,
    );
  return new PatternParser(source, flags === 'i', locate).parse();
}

class PatternParser {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  readonly #locate: Locate;
  readonly #unmatched: ReadonlySet<number>;
  #index = 0;
  #depth = 0;

  constructor(source: string, ignoresCase: boolean, locate: Locate) {
    this.#source = source;
    this.#ignoresCase = ignoresCase;
    this.#locate = locate;
    this.#unmatched = findUnmatchedParentheses(source);
  }

  parse(): RegularExpression {
    const isAtStart = this.#skip('^');
    const pattern = this.#parseAlternation(!isAtStart);
    const isAtEnd = this.#index === this.#source.length - 1 && this.#skip('$');
    if (this.#index < this.#source.length) throw this.#unexpected();
    requirePatternSize(pattern, this.#locate(0));
    return { source: this.#source, ignoresCase: this.#ignoresCase, isAtStart, isAtEnd, pattern };
  }

  /** Parses alternatives. If `isStart` is true, a metacharacter at this position is literal. */
  #parseAlternation(isStart: boolean): Pattern {
    const first = this.#parseSequence(isStart ? this.#readLeadingCharacter() : []);
    if (!this.#isAt('|')) return first;
    const branches = [first];
    while (this.#skip('|')) branches.push(this.#parseSequence([]));
    return { kind: 'alternation', branches };
  }

  /**
   * Reads a literal metacharacter at the start of a group or of the whole pattern. Returns an empty array if
   * there is none.
   */
  #readLeadingCharacter(): readonly Pattern[] {
    const character = this.#source[this.#index] ?? '';
    if (!METACHARACTERS.has(character)) return [];
    if (character === '(' && !this.#unmatched.has(this.#index)) return [];
    if (this.#index > 0 && this.#match(LOOKAROUND_OR_NAME) !== undefined)
      throw this.#fail("lookahead, lookbehind and named groups are not supported. Escape '?' as '\\?'.");
    this.#index++;
    return [{ kind: 'character', character }];
  }

  #parseSequence(leading: readonly Pattern[]): Pattern {
    if (leading.length === 0 && this.#isAtEndOfSequence())
      throw this.#fail("an alternative is empty. Make a part optional with '?' instead.");
    const pieces = [...leading];
    while (!this.#isAtEndOfSequence()) pieces.push(this.#parsePiece());
    const [only] = pieces;
    return only !== undefined && pieces.length === 1 ? only : { kind: 'sequence', pieces };
  }

  #isAtEndOfSequence(): boolean {
    const { length } = this.#source;
    if (this.#index >= length || this.#isAt('|') || this.#isAt(')')) return true;
    return this.#index === length - 1 && this.#isAt('$');
  }

  #parsePiece(): Pattern {
    let piece = this.#readRepeatedPair() ?? this.#parseAtom();
    for (let count = 0; ; count++) {
      if (count > 0 && this.#isAt('?'))
        throw this.#fail("non-greedy repeats are not supported. Remove the '?'.");
      if (count > MAX_NESTING) throw this.#fail(`more than ${MAX_NESTING} consecutive repeats.`);
      const repeat = this.#readRepeat();
      if (repeat === undefined) return piece;
      piece = { kind: 'repeat', piece, repeat };
    }
  }

  /**
   * Reads a surrogate pair that a repeat follows, so that the repeat applies to both code units and not only
   * to the second one. Returns `undefined` in all other cases.
   */
  #readRepeatedPair(): Pattern | undefined {
    const pair = this.#match(SURROGATE_PAIR)?.[0];
    const following = this.#source[this.#index + 2] ?? '';
    if (pair === undefined || !REPEATS.has(following)) return undefined;
    this.#index += pair.length;
    const pieces = pair.split('').map((character) => ({ kind: 'character', character }) as const);
    return { kind: 'sequence', pieces };
  }

  #readRepeat(): Repeat | undefined {
    if (this.#skip('*')) return { least: 0, most: null };
    if (this.#skip('+')) return { least: 1, most: null };
    if (this.#skip('?')) return { least: 0, most: 1 };
    return this.#isAt('{') ? this.#readCounts() : undefined;
  }

  #readCounts(): Repeat {
    const counts = this.#match(COUNTS);
    if (counts === undefined)
      throw this.#fail("'{' does not begin a repeat such as {2}, {2,} or {2,5}. Escape it as '\\{'.");
    const [whole, first, comma, second] = counts;
    const least = Number(first);
    const most = comma === undefined ? least : second === undefined ? null : Number(second);
    if (least > (most ?? least))
      throw this.#fail(`the numbers of the repeat ${whole.slice(0, 40)} are out of order.`);
    if ((most ?? least) > MAX_REPEATS) throw this.#fail(`a repeat count may be at most ${MAX_REPEATS}.`);
    this.#index += whole.length;
    return { least, most };
  }

  #parseAtom(): Pattern {
    const character = this.#source[this.#index] ?? '';
    switch (character) {
      case '(':
        return this.#parseGroup();
      case '[':
        return this.#parseClass();
      case '\\':
        return this.#parseEscape();
      case '.':
        this.#index++;
        return { kind: 'any' };
      case '^':
      case '$':
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.#unexpected();
      default:
        this.#index++;
        return { kind: 'character', character };
    }
  }

  #parseGroup(): Pattern {
    if (++this.#depth > MAX_NESTING) throw this.#fail(`more than ${MAX_NESTING} groups are nested.`);
    if (this.#unmatched.has(this.#index)) throw this.#unexpected();
    this.#index++;
    const pattern = this.#parseAlternation(true);
    if (!this.#skip(')')) throw this.#unexpected();
    this.#depth--;
    return pattern;
  }

  #parseEscape(): Pattern {
    const item = this.#readEscape();
    if (item.kind === 'named') return { kind: 'class', isNegated: false, items: [item] };
    return { kind: 'character', character: item.from };
  }

  #readEscape(): ClassItem {
    const { item, end } = readPatternEscape(this.#source, this.#index, this.#locate);
    this.#index = end;
    return item;
  }

  #parseClass(): Pattern {
    const start = this.#index++;
    const isNegated = this.#skip('^');
    const items: ClassItem[] = [];
    while (!this.#isAt(']')) {
      if (this.#index >= this.#source.length) throw this.#fail("the class is not closed by ']'.", start);
      items.push(this.#readClassItem());
    }
    this.#index++;
    if (items.length === 0) throw this.#fail("the class is empty. Escape ']' as '\\]'.", start);
    return { kind: 'class', isNegated, items };
  }

  /**
   * Reads a character, a named class or a range. A minus sign is literal where no range is possible: at both
   * ends of a class, and after `\d` and the other named classes.
   */
  #readClassItem(): ClassItem {
    const start = this.#index;
    const first = this.#readClassCharacter();
    if (first.kind === 'named' || !this.#isAt('-') || this.#source[this.#index + 1] === ']') return first;
    this.#index++;
    const last = this.#readClassCharacter();
    if (last.kind === 'named') throw this.#fail(`a range may not end with '\\${last.name}'.`, start);
    if (first.from > last.to)
      throw this.#fail('a range is out of order. Write the lower character first.', start);
    return { kind: 'range', from: first.from, to: last.to };
  }

  #readClassCharacter(): ClassItem {
    if (this.#isAt('\\')) return this.#readEscape();
    const pair = this.#match(SURROGATE_PAIR)?.[0];
    if (pair !== undefined)
      throw this.#fail(
        `'${pair}' is two UTF-16 units and cannot be in a class. Write alternatives instead, like (a|${pair}).`,
      );
    const character = this.#source[this.#index++] ?? '';
    return { kind: 'range', from: character, to: character };
  }

  #isAt(character: string): boolean {
    return this.#source[this.#index] === character;
  }

  #skip(character: string): boolean {
    if (!this.#isAt(character)) return false;
    this.#index++;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#index;
    return pattern.exec(this.#source) ?? undefined;
  }

  /** Returns the error for a metacharacter that has no meaning at this position. */
  #unexpected(): ExpressionSyntaxError {
    const character = this.#source[this.#index] ?? '';
    return this.#fail(`${MISPLACED_MESSAGES[character] ?? NOTHING_TO_REPEAT} Escape it as '\\${character}'.`);
  }

  #fail(message: string, index = this.#index): ExpressionSyntaxError {
    return new ExpressionSyntaxError(this.#locate(index), `invalid regular expression: ${message}`);
  }
}
