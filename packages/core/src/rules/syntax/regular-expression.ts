import { ExpressionSyntaxError } from './problems.ts';

/**
 * An item of a character class: a range of UTF-16 code units (a single unit is a range of one), or one of the named
 * classes `d D s S w W`.
 */
export type ClassItem =
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'named'; readonly name: NamedClass };

export type NamedClass = 'd' | 'D' | 's' | 'S' | 'w' | 'W';

/** How often a piece may occur. If `most` is `null`, there is no upper limit. */
export interface Repeat {
  readonly least: number;
  readonly most: number | null;
}

export type Pattern =
  | { readonly kind: 'character'; readonly character: string }
  /** `.`: any character except a line terminator. */
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly items: readonly ClassItem[] }
  | { readonly kind: 'repeat'; readonly piece: Pattern; readonly repeat: Repeat }
  | { readonly kind: 'sequence'; readonly pieces: readonly Pattern[] }
  | { readonly kind: 'alternation'; readonly branches: readonly Pattern[] };

/**
 * A regular expression of the rules language. The language is a small dialect in which every pattern can be
 * matched in linear time.
 */
export interface RegularExpression {
  /** The original text, without the slashes and the flag. */
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Whether the pattern begins with `^`. */
  readonly isAtStart: boolean;
  /** Whether the pattern ends with `$`. */
  readonly isAtEnd: boolean;
  readonly pattern: Pattern;
}

/** Maximum number of times that a part of a pattern is repeated. The counts of nested groups multiply. */
export const MAX_REPEATS = 1_000;

/**
 * Maximum size of a pattern. The size is the sum of:
 * - its characters and classes, with counted repeats expanded; each of them costs time per input character
 * - for each class, once, the number of its items after the first
 * - for each repeat of a repeat, the number of copies of the inner repeat
 */
export const MAX_PATTERN_SIZE = 4_000;

/** Throws an `ExpressionSyntaxError` with `offset` for a pattern that would take too long to match. */
export function requirePatternSize(pattern: Pattern, offset: number): void {
  const size = sizeOf(pattern, 1, offset);
  if (size > MAX_PATTERN_SIZE) throw tooLarge(offset, `it is longer than ${MAX_PATTERN_SIZE} characters`);
}

/**
 * Returns the size of an accepted pattern, as limited by `MAX_PATTERN_SIZE`. The automaton of the pattern has at most
 * a few times as many states.
 */
export function patternSize(pattern: Pattern): number {
  return sizeOf(pattern, 1, 0);
}

/**
 * Returns the size of a pattern that occurs `times` times. Throws an `ExpressionSyntaxError` with `offset` if
 * `times` exceeds `MAX_REPEATS`.
 */
function sizeOf(pattern: Pattern, times: number, offset: number): number {
  if (times > MAX_REPEATS) throw tooLarge(offset, `a part of it occurs more than ${MAX_REPEATS} times`);
  switch (pattern.kind) {
    case 'character':
    case 'any':
      return times;
    case 'class':
      return times + pattern.items.length - 1;
    case 'repeat': {
      const { piece, repeat } = pattern;
      const copies = times * Math.max(1, repeat.most ?? repeat.least);
      const size = sizeOf(piece, copies, offset);
      return piece.kind === 'repeat' ? size + copies : size;
    }
    case 'sequence':
      return sum(pattern.pieces, times, offset);
    case 'alternation':
      return sum(pattern.branches, times, offset);
    default:
      return pattern satisfies never;
  }
}

function sum(parts: readonly Pattern[], times: number, offset: number): number {
  return parts.reduce((total, part) => total + sizeOf(part, times, offset), 0);
}

function tooLarge(offset: number, reason: string): ExpressionSyntaxError {
  return new ExpressionSyntaxError(
    offset,
    `invalid regular expression: with its repeats written out, ${reason}. Use lower repeat counts.`,
  );
}
