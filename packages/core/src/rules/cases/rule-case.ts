import type { TreeNode } from '../../tree/node.ts';
import type { Path } from '../../tree/path.ts';
import type { DraftWrite } from '../operation.ts';
import type { AuthObject, QueryVariables } from '../rule-value.ts';

/** What somebody tries. None of the writes of an update is at or above another. */
export type CaseOperation =
  | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
  | { readonly kind: 'write'; readonly write: DraftWrite }
  | { readonly kind: 'update'; readonly path: Path; readonly writes: readonly DraftWrite[] };

/** One operation, by somebody, on some data, and what rules ought to say. */
export interface RuleCase {
  readonly name: string;
  /** Where it stands in its file: UTF-16 units from the start. */
  readonly offset: number;
  /** The variable `auth`; `null` for guests. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970; `null` for the time at which the case is run. */
  readonly nowMs: number | null;
  /** All that is in the database before the operation. */
  readonly data: TreeNode | null;
  readonly operation: CaseOperation;
  readonly isAllowed: boolean;
}
