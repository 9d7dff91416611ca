import type { ProposedWrite } from '@hearth/core/rules/operation.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { Path } from '@hearth/core/tree/path.ts';

/** What stood at a place that was written to. */
export interface PlaceBefore {
  readonly path: Path;
  readonly node: TreeNode | null;
}

/** What somebody asked for, with all that it takes to decide it again beside the tree. */
export type RecordedOperation = {
  readonly auth: AuthObject | null;
  readonly timeMs: number;
  /** Estimate of the memory that this takes. */
  readonly bytes: number;
} & (
  | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
  | {
      readonly kind: 'write';
      readonly writes: readonly ProposedWrite[];
      readonly before: readonly PlaceBefore[];
    }
);
