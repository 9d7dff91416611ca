import { ExpressionSyntaxError } from './problems.ts';

/** Characters of a class: a single one or a range of UTF-16 code units, or one of the named classes `d D s S w W`. */
export type ClassItem =
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'named'; readonly name: NamedClass };

export type NamedClass = 'd' | 'D' | 's' | 'S' | 'w' | 'W';

/** How often a piece may occur; `most` is `null` for any number of times. */
export interface Repeat {
  readonly least: number;
  readonly most: number | null;
}

export type Pattern =
  | { readonly kind: 'character'; readonly character: string }
  /** `.`: any character but a line terminator. */
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly items: readonly ClassItem[] }
  | { readonly kind: 'repeat'; readonly piece: Pattern; readonly repeat: Repeat }
  | { readonly kind: 'sequence'; readonly pieces: readonly Pattern[] }
  | { readonly kind: 'alternation'; readonly branches: readonly Pattern[] };

/** A regular expression of the rules language: a small dialect, of which every pattern can be matched in linear time. */
export interface RegularExpression {
  /** As it was written, without the slashes and the flag. */
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Does the pattern begin with `^`? */
  readonly isAtStart: boolean;
  /** Does the pattern end with `$`? */
  readonly isAtEnd: boolean;
  readonly pattern: Pattern;
}

/** Most repeats that are counted, those of groups inside groups multiplied. */
export const MAX_REPEATS = 1_000;

/**
 * Largest size of a pattern: its characters and classes with its counted repeats written out, each of which costs time for each
 * character; once for each class, what it has beside its first; and the repeats of what is a repeat itself.
 */
export const MAX_PATTERN_SIZE = 4_000;

/** Throws an `ExpressionSyntaxError` with `offset` for a pattern that would take long to match. */
export function checkPatternSize(pattern: Pattern, offset: number): void {
  const size = sizeOf(pattern, 1, offset);
  if (size > MAX_PATTERN_SIZE) throw tooLarge(offset, `it is longer than ${MAX_PATTERN_SIZE} characters`);
}

/** The size of an accepted pattern, as `MAX_PATTERN_SIZE` bounds it: its automaton has a few times as many states at most. */
export function patternSize(pattern: Pattern): number {
  return sizeOf(pattern, 1, 0);
}

/** The size of a pattern that stands there `times` times. */
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
    `invalid regular expression: with its repeats written out ${reason}. Lower their numbers.`,
  );
}
