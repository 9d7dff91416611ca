import type { Key } from '../tree/key.ts';
import type { Expression } from './expression.ts';
import type { RuleValue } from './rule-value.ts';
import type { Scope } from './scope.ts';

export type RuleKind = 'read' | 'write' | 'validate';

export type Evaluate = (scope: Scope) => RuleValue;

/** One `.read`, `.write` or `.validate`. */
export interface Rule {
  readonly kind: RuleKind;
  /** Names from the root of the rules to the rule's location, captures with their `$`. */
  readonly location: readonly string[];
  readonly expression: Expression;
  /** The rule holds if this is `true`. Allocates nothing that it need not. */
  readonly evaluate: Evaluate;
  /** Units of work that asking it costs, as `ruleCost` counts them. */
  readonly cost: number;
}

/** The rule for every child that has none of its own, written `$name`. */
export interface Capture {
  readonly name: string;
  readonly node: RuleNode;
}

/** A child of a location with a `.validate` at or below it. */
export interface ValidatedChild {
  readonly key: Key;
  readonly node: RuleNode;
}

/** One location of the rules document. */
export interface RuleNode {
  readonly read: Rule | null;
  readonly write: Rule | null;
  readonly validate: Rule | null;
  /** Is there a `.validate` here or anywhere below? */
  readonly hasValidate: boolean;
  /** `.value` or child paths, as `.indexOn` lists them. */
  readonly indexOn: readonly string[];
  readonly children: ReadonlyMap<Key, RuleNode>;
  readonly capture: Capture | null;
  readonly validated: readonly ValidatedChild[];
}

/** The rules of one database, ready to decide. */
export interface RuleSet {
  /** As uploaded, comments and white space included. */
  readonly source: string;
  readonly root: RuleNode;
}
