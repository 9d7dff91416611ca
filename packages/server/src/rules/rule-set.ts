import type { Key } from '@hearth/core/tree/key.ts';

/** A condition of the provisional language: `true`, `false`, or `auth != null`. */
export type Condition = 'always' | 'never' | 'signed-in';

/** One location of the rules document. */
export interface RuleNode {
  readonly read: Condition | null;
  readonly write: Condition | null;
  /** `.value` or child paths, as `.indexOn` lists them. */
  readonly indexOn: readonly string[];
  readonly children: ReadonlyMap<Key, RuleNode>;
  /** The rule for every child that has none of its own, written `$name`. */
  readonly wildcard: RuleNode | null;
}

/** The rules of one database, ready to decide. */
export interface RuleSet {
  /** As uploaded, comments and white space included. */
  readonly source: string;
  readonly root: RuleNode;
}
