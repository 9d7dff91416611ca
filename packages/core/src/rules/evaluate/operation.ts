import type { Priority, ServerValue, TreeNode } from '../../tree/node.ts';
import { joinPaths, type Path } from '../../tree/path.ts';
import { type Draft, type ExistingData, resolveDraft, resolvePriority } from '../../tree/server-value.ts';
import type { AuthObject, QueryVariables, RuleTree, RuleView } from './values.ts';

/** A write as the client sends it. Its placeholders are not resolved. */
export type DraftWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly draft: Draft }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** A write whose placeholders are resolved. */
export type ProposedWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly node: TreeNode | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority };

/** A read that is subject to rules. */
export interface ReadOperation {
  /** The value of the variable `auth`. */
  readonly auth: AuthObject | null;
  readonly now: number;
  readonly tree: RuleView;
  readonly path: Path;
  readonly query: QueryVariables;
}

/**
 * A write that is subject to rules. Each path is authorized separately, against the result of all writes
 * together.
 */
export interface WriteOperation {
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970. The placeholder `timestamp` resolves to the same value. */
  readonly now: number;
  /**
   * The time that timestamps in the values were resolved to, if that was before `now`. Rules that read the values see it
   * as `now`.
   */
  readonly resolvedMs?: number | undefined;
  readonly tree: RuleTree;
  /** No write is at or above another. The exception is a priority: writes below its path may accompany it. */
  readonly writes: readonly ProposedWrite[];
  /**
   * The first invalid path, at or below the only write, if it is known. The rules of other values below the write are then
   * not evaluated.
   */
  readonly invalidAt?: Path | undefined;
}

/**
 * Returns the writes with their placeholders resolved. Throws `server-value/overflow` when a sum is not
 * finite.
 */
export function resolveDraftWrites(
  writes: readonly DraftWrite[],
  before: RuleView,
  nowMs: number,
): readonly ProposedWrite[] {
  return writes.map((write) => resolveDraftWrite(write, before, nowMs));
}

function resolveDraftWrite(write: DraftWrite, before: RuleView, nowMs: number): ProposedWrite {
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
