import type { RuleKind } from '@hearth/core/rules/rule-set.ts';
import type { Span } from '@hearth/core/rules/span.ts';
import type { TraceValue } from '@hearth/core/rules/trace.ts';

/** A value as it is shown: of one that came out of data, the denial log may keep no more than what kind it was. */
export type ShownValue =
  | TraceValue
  /** The start of one that is too long; `length` is that of the whole. */
  | { readonly kind: 'cut'; readonly of: 'string' | 'json'; readonly start: string; readonly length: number }
  | { readonly kind: 'redacted'; readonly of: string; readonly length: number | null };

/** `TraceStep` with what may be left out of it. */
export interface ShownStep {
  readonly span: Span;
  readonly value: ShownValue;
  readonly steps: readonly ShownStep[];
}

/** A rule that was asked, with what is needed to show it. */
export interface ShownRule {
  readonly kind: RuleKind;
  /** As `/rooms/$id`. */
  readonly location: string;
  /** As `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: ShownStep;
  /** What the spans are parts of. */
  readonly source: string;
  /** Where the rule stands, as `file:line:column`; empty if that is not known. */
  readonly at: string;
}

/** Why an operation is allowed or not. */
export interface ShownExplanation {
  readonly isAllowed: boolean;
  /** The place that was refused, if any is. */
  readonly refused: string | null;
  /** In the order in which they were asked. */
  readonly rules: readonly ShownRule[];
  /** One of `rules`. */
  readonly deciding: ShownRule | null;
}
