import type { Api } from '../../../server/api.ts';
import { type NodeChange, readNode, type SeenNode, writeChanges } from '../../../server/data-nodes.ts';
import { ChangedMeanwhile } from '../edit/change-nodes.ts';
import { printExact } from '../model/exact-json.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';
import { parseFields } from './cell-grid.ts';

/** What is to become of members of a row, and what they were when whoever pastes saw them. */
export interface PastedRow {
  readonly path: NodePath;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly shown: ReadonlyMap<string, unknown>;
}

/** Rows that are pasted at a time. */
export const MAX_PASTED_ROWS = 200;

/** Writes cells of several rows at once. Rejects with `ChangedMeanwhile` if any of the rows is not as it was shown. */
export async function pasteCells(api: Api, database: string, rows: readonly PastedRow[]): Promise<void> {
  const changes: NodeChange[] = [];
  const seen: SeenNode[] = [];
  for (const { path, cells, shown } of rows) {
    const { text, hash } = await readNode(api, database, path);
    const current = parseFields(text);
    if (current.kind !== 'fields' || print(current.fields) !== print(shown)) throw new ChangedMeanwhile();
    seen.push({ path, hash });
    for (const [column, value] of cells)
      changes.push({ path: joinPath(path, column), text: printExact(value, 0) });
  }
  if (!(await writeChanges(api, database, changes, seen))) throw new ChangedMeanwhile();
}

function print(fields: ReadonlyMap<string, unknown>): string {
  return printExact(Object.fromEntries([...fields].sort(([a], [b]) => (a < b ? -1 : 1))), 0);
}
