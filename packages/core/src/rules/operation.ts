import type { Priority, ServerValue, TreeNode } from '../tree/node.ts';
import type { Path } from '../tree/path.ts';
import type { Draft } from '../tree/server-value.ts';
import type { AuthObject, QueryVariables } from './rule-value.ts';
import type { RuleTree, RuleView } from './rule-view.ts';

/** A write as somebody asks for it: its placeholders are not resolved. */
export type DraftWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly draft: Draft }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** A write whose placeholders are resolved. */
export type ProposedWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly node: TreeNode | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority };

/** A read by somebody whom rules apply to. */
export interface ReadOperation {
  /** The variable `auth`. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly tree: RuleView;
  readonly path: Path;
  readonly query: QueryVariables;
}

/** A write by somebody whom rules apply to. Its places are decided one by one, on the outcome of all of them. */
export interface WriteOperation {
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970; also what `timestamp` was resolved to. */
  readonly now: number;
  readonly tree: RuleTree;
  /** None of them is at or above another; a priority may go with writes below its place. */
  readonly writes: readonly ProposedWrite[];
}
