import type { OBJECT } from '../tree/order.ts';
import type { RuleSnapshot } from './rule-snapshot.ts';
import type { Span } from './span.ts';

/** Why an expression has no value. It makes the whole rule false. There is one for each place and reason, however often it occurs. */
export class Fault {
  /** The part of the rule that is to blame. */
  readonly span: Span;
  readonly message: string;

  constructor(span: Span, message: string) {
    this.span = span;
    this.message = message;
  }
}

/** An object or array inside `auth`. */
export type AuthObject = Readonly<Record<string, unknown>> | readonly unknown[];

/** The value of an expression. `OBJECT` is an inner node of the database: not null, and equal to nothing. */
export type RuleValue =
  | boolean
  | number
  | string
  | null
  | typeof OBJECT
  | AuthObject
  | QueryVariables
  | RuleSnapshot
  | Fault;

/** The variable `query`: what a read asks for. */
export interface QueryVariables {
  readonly orderByKey: boolean;
  readonly orderByValue: boolean;
  readonly orderByPriority: boolean;
  readonly orderByChild: string | null;
  readonly startAt: boolean | number | string | null;
  readonly endAt: boolean | number | string | null;
  readonly equalTo: boolean | number | string | null;
  readonly limitToFirst: number | null;
  readonly limitToLast: number | null;
}
