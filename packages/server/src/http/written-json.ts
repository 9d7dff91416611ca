import { plainJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import type { DraftWrite } from '../database/draft-write.ts';
import type { Commit } from '../log/commit.ts';

/**
 * What the only write of a request has put at its place, in plain form; `undefined` when only the database can tell,
 * because the write held server values and changed nothing.
 */
export function findWrittenJson(write: DraftWrite, commit: Commit | null): string | undefined {
  const done = commit?.writes[0];
  // The text of a leaf is the same in both forms, unless it has a priority.
  if (done?.kind === 'node')
    return done.node?.kind === 'leaf' && done.node.priority === null ? done.json : plainJson(done.node);
  if (done?.kind === 'priority') return priorityJson(done.priority);
  if (write.kind === 'node') return write.draft.kind === 'resolved' ? plainJson(write.draft.node) : undefined;
  const { priority } = write;
  return typeof priority === 'object' && priority !== null ? undefined : priorityJson(priority);
}
