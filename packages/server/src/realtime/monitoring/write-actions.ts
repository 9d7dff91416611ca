import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import { type DraftWrite, isRemoval } from '../database/write-input.ts';
import type { DataAction } from './data-actions.ts';

/**
 * Returns the action that the audit log records for writes of an administrator. `change` is the change by which they
 * can be undone.
 */
export function actionOfWrites(
  database: string,
  writes: readonly DraftWrite[],
  change: number | null = null,
): DataAction {
  const path = commonAncestor(writes.map((write) => write.path));
  return {
    name: nameOf(writes),
    subject: {
      database,
      path: `/${formatPath(path)}`,
      count: writes.length,
      ...(change === null ? {} : { change }),
    },
  };
}

function nameOf(writes: readonly DraftWrite[]): DataAction['name'] {
  if (!isRemoval(writes)) return 'data_changed';
  return writes.some(({ path }) => path.length === 0) ? 'data_erased' : 'data_deleted';
}

/** Returns the deepest path that is at or above all paths. */
function commonAncestor(paths: readonly Path[]): Path {
  const [first = [], ...others] = paths;
  let length = first.length;
  for (const path of others) {
    let same = 0;
    while (same < length && path[same] === first[same]) same += 1;
    length = same;
  }
  return pathOf(first.slice(0, length));
}
