import { compareKeys } from '@hearth/core/tree/key.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';
import type { RowFields } from './cell-grid.ts';

/** The column of children that are values themselves; no member of an object has such a name. */
export const VALUE_COLUMN = '.value';

/** Columns that a table has at most; what else rows have is in their JSON. */
const MAX_COLUMNS = 60;

/** Columns with those of more rows, in the order of keys; that of values comes first. */
export function addColumns(known: readonly string[], rows: readonly RowFields[]): readonly string[] {
  const names = new Set(known);
  for (const row of rows) {
    if (row.kind === 'value') names.add(VALUE_COLUMN);
    if (row.kind === 'fields')
      for (const name of row.fields.keys()) if (names.size < MAX_COLUMNS) names.add(name);
  }
  if (names.size === known.length) return known;
  return [...names].sort((a, b) => rankOf(a) - rankOf(b) || compareKeys(a, b));
}

function rankOf(column: string): number {
  return column === VALUE_COLUMN ? 0 : 1;
}

/** What a row has in a column; `undefined` for nothing. */
export function valueInColumn(row: RowFields, column: string | undefined): unknown {
  if (column === undefined) return undefined;
  if (row.kind === 'fields') return row.fields.get(column);
  return row.kind === 'value' && column === VALUE_COLUMN ? row.value : undefined;
}

/** Where the node of a cell is. */
export function pathInColumn(row: NodePath, column: string): NodePath {
  return column === VALUE_COLUMN ? row : joinPath(row, column);
}

/** Can a cell of a row have a value, and its node children beside it? */
export function isCellOf(row: RowFields, column: string | undefined): column is string {
  if (column === undefined) return false;
  return row.kind === (column === VALUE_COLUMN ? 'value' : 'fields');
}
