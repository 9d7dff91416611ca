import type { RuleKind } from './rule-set.ts';
import type { Span } from './span.ts';

/**
 * A value as traces show it: JSON, or what has no JSON. `snapshot` is a place of `before` or `after`; `path` `null` is one
 * that cannot exist.
 */
export type TraceValue =
  | { readonly kind: 'scalar'; readonly value: boolean | number | string | null }
  /** A number that JSON has no text for: `NaN`, `Infinity` or `-Infinity`. */
  | { readonly kind: 'not-finite'; readonly text: string }
  /** An inner node of the database. */
  | { readonly kind: 'object' }
  /** `auth`, a part of it, or `query`: the object itself, which many steps share. */
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'snapshot'; readonly tree: 'before' | 'after'; readonly path: string | null }
  | { readonly kind: 'error'; readonly message: string };

/** What one sub-expression came to, and what was evaluated for it, in order. What was not needed is not there, nor are literals. */
export interface TraceStep {
  readonly span: Span;
  readonly value: TraceValue;
  readonly steps: readonly TraceStep[];
}

/** One rule that was asked. */
export interface RuleTrace {
  readonly kind: RuleKind;
  /** Where the rule stands, as `/rooms/$id`. */
  readonly location: string;
  /** The place it was asked for, as `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: TraceStep;
}

/**
 * Why an operation was allowed or not. Its values are whole and shared by the steps that came to them; as JSON each would
 * be there as often as it was looked at. So whoever sends or keeps an explanation cuts the long ones.
 */
export interface Explanation {
  readonly isAllowed: boolean;
  /** The place that nothing grants or that would not be valid, as `/rooms/r1`; `null` if the operation is allowed. */
  readonly refused: string | null;
  /** In the order in which they were asked: the first thousand, fewer if they are very long, and the deciding one. */
  readonly rules: readonly RuleTrace[];
  /**
   * The rule that decided: the last one that granted; or the `.validate` that does not hold; or, where nothing grants,
   * the deepest rule that was asked for the refused place. `null` if there was none to ask.
   */
  readonly deciding: RuleTrace | null;
}
