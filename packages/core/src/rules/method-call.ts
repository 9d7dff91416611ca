import type { Expression } from './expression.ts';
import type { WayFinder } from './place-way.ts';
import type { Evaluate } from './rule-set.ts';
import type { Span } from './span.ts';

/** A method that is called: what it is asked of and its arguments, not compiled yet. */
export interface MethodCall {
  readonly name: string;
  readonly span: Span;
  readonly target: Expression;
  readonly args: readonly Expression[];
  readonly compile: (e: Expression) => Evaluate;
  /** `null` where every step of a way is to be seen. */
  readonly ways: WayFinder | null;
  /** Levels of the rule's place below the root. */
  readonly depth: number;
}

export type CompileMethod = (call: MethodCall) => Evaluate;
