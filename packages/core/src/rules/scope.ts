import type { TreeNode } from '../tree/node.ts';
import type { Path } from '../tree/path.ts';
import type { AuthObject, QueryVariables } from './rule-value.ts';
import type { RuleView } from './rule-view.ts';
import type { WorkBudget } from './work-budget.ts';

/** What the variables of a rule stand for. Whoever asks many rules may change it between two of them: nobody keeps it. */
export interface Scope {
  /** `null` for guests. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The tree before the operation: `root` and `data`. */
  readonly before: RuleView;
  /** The tree as the write would leave it: `newData`. For reads the same as `before`, and never looked at. */
  readonly after: RuleView;
  readonly query: QueryVariables;
  /**
   * Keys from the root down to the rule's location or beyond. A rule of depth d belongs to the first d keys; a capture
   * is one of them.
   */
  readonly path: Path;
  /** The node at `path` in `after`, where it is in hand; `undefined` where it has to be looked for. */
  readonly written?: TreeNode | null | undefined;
  /** Without one, nothing bounds what the rules may cost. */
  readonly work?: WorkBudget | undefined;
}
