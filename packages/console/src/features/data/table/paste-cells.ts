import type { Api } from '../../../server/api.ts';
import { type NodeChange, readNode, type SeenNode, writeChanges } from '../../../server/data-nodes.ts';
import { ChangedMeanwhile } from '../edit/change-nodes.ts';
import { printExact } from '../model/exact-json.ts';
import type { NodePath } from '../model/node-path.ts';
import { parseFields, type RowFields } from './cell-grid.ts';
import { pathInColumn } from './table-columns.ts';

/** What is to become of columns of a row, and what the row was when whoever pastes saw it. */
export interface PastedRow {
  readonly path: NodePath;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly shown: RowFields;
}

/** Rows that are pasted at a time. */
export const MAX_PASTED_ROWS = 200;

/** What is written when rows are pasted. */
export function changesOf(rows: readonly PastedRow[]): readonly NodeChange[] {
  return rows.flatMap(({ path, cells }) =>
    [...cells].map(([column, value]) => ({
      path: pathInColumn(path, column),
      text: printExact(value, 0),
    })),
  );
}

/** Writes cells of several rows at once. Rejects with `ChangedMeanwhile` if any of the rows is not as it was shown. */
export async function pasteCells(api: Api, database: string, rows: readonly PastedRow[]): Promise<void> {
  const seen: SeenNode[] = [];
  for (const { path, shown } of rows) {
    const { text, hash } = await readNode(api, database, path);
    if (print(parseFields(text)) !== print(shown)) throw new ChangedMeanwhile();
    seen.push({ path, hash });
  }
  const { kind } = await writeChanges(api, database, changesOf(rows), seen, false);
  if (kind !== 'written') throw new ChangedMeanwhile();
}

function print(row: RowFields): string {
  if (row.kind !== 'fields') return row.kind === 'value' ? printExact(row.value, 0) : '';
  return printExact(Object.fromEntries([...row.fields].sort(([a], [b]) => (a < b ? -1 : 1))), 0);
}
