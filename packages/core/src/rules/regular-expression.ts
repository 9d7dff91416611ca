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
