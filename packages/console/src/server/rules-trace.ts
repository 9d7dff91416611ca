import type { RuleKind } from '@hearth/core/rules/rule-set.ts';
import type { Span } from '@hearth/core/rules/span.ts';
import type { TraceValue } from '@hearth/core/rules/trace.ts';

/** What a part of a rule came to: whole, cut because it is long, or only of what kind it was. */
export type StepValue =
  | TraceValue
  /** `length` is that of the whole. */
  | { readonly kind: 'cut'; readonly of: 'string' | 'json'; readonly start: string; readonly length: number }
  | {
      readonly kind: 'redacted';
      readonly of: 'string' | 'number' | 'snapshot';
      /** Of a string. */
      readonly length?: number;
      /** Of a snapshot. */
      readonly tree?: 'before' | 'after';
    };

/** What an expression came to, and what was evaluated for it. Literals and what was not needed are not there. */
export interface Step {
  readonly span: Span;
  readonly value: StepValue;
  readonly steps: readonly Step[];
}

/** A rule that was asked. */
export interface AskedRule {
  readonly kind: RuleKind;
  /** As `/rooms/$id`. */
  readonly location: string;
  /** The place it was asked for, as `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: Step;
}
