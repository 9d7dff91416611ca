import { joinPaths, type Path } from '../tree/path.ts';
import { type ExistingData, resolveDraft, resolvePriority } from '../tree/server-value.ts';
import type { DraftWrite, ProposedWrite } from './operation.ts';
import type { RuleView } from './rule-view.ts';

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
