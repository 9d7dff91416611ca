import type { Priority, ServerValue, TreeNode } from '../../tree/node.ts';
import { joinPaths, type Path } from '../../tree/path.ts';
import { type Draft, type ExistingData, resolveDraft, resolvePriority } from '../../tree/server-value.ts';
import type { AuthObject, QueryVariables, RuleTree, RuleView } from './values.ts';

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

/** The writes with their placeholders resolved. Refuses sums that are not finite, with `server-value/overflow`. */
export function proposeWrites(
  writes: readonly DraftWrite[],
  before: RuleView,
  nowMs: number,
): readonly ProposedWrite[] {
  return writes.map((write) => proposeWrite(write, before, nowMs));
}

function proposeWrite(write: DraftWrite, before: RuleView, nowMs: number): ProposedWrite {
  const { path } = write;
  if (write.kind === 'node')
    return { kind: 'node', path, node: resolveDraft(write.draft, nowMs, existingAt(before, path)) };
  const priority = resolvePriority(write.priority, nowMs, () => before.findPriority(path));
  return { kind: 'priority', path, priority };
}

function existingAt(before: RuleView, path: Path): ExistingData {
  return {
    findValue: (relative) => before.findValue(joinPaths(path, relative)),
    findPriority: (relative) => before.findPriority(joinPaths(path, relative)),
  };
}
