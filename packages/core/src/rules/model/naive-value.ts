import type { TreeNode } from '../../tree/node.ts';
import type { AuthObject, QueryVariables } from '../rule-value.ts';

/** A place of a whole tree. `keys` is `null` for a place that cannot exist. */
export interface NaivePlace {
  readonly kind: 'place';
  readonly tree: TreeNode | null;
  readonly keys: readonly string[] | null;
}

/** What is within `auth`, and what kind of object that is, if any. */
export interface NaiveAuth {
  readonly kind: 'auth';
  readonly object: AuthObject;
}

export interface NaiveQuery {
  readonly kind: 'query';
  readonly variables: QueryVariables;
}

/** The value of an inner node. */
export interface NaiveInner {
  readonly kind: 'inner';
}

export type NaiveValue =
  | boolean
  | number
  | string
  | null
  | NaivePlace
  | NaiveAuth
  | NaiveQuery
  | NaiveInner
  | readonly NaiveValue[]
  | RegExp;

/** What evaluating a rule throws when an expression has no value. */
export class NaiveFault extends Error {}
