import { overlayFields } from '../staged/overlay-fields.ts';
import type { StagedList } from '../staged/staged-list.ts';
import { findRow, type TreeRows } from '../tree/tree-rows.ts';
import type { RowFields } from './cell-grid.ts';
import type { TableRow } from './table-row.ts';
import { useRowFields } from './use-row-fields.ts';

export interface DrawnRow {
  readonly index: number;
  readonly row: TableRow;
  /** What its members are on the server. */
  readonly live: RowFields;
  /** What they are to be. */
  readonly fields: RowFields;
}

interface TableRows {
  /** The rows that are on the screen. */
  readonly drawn: readonly DrawnRow[];
  /** Any row that is held; `undefined` for those that fade, or are not read. */
  rowAt(index: number): DrawnRow | undefined;
}

export function useTableRows(
  database: string,
  rows: TreeRows,
  shown: { readonly first: number; readonly end: number },
  staged: StagedList,
): TableRows {
  const found: { readonly index: number; readonly row: TableRow }[] = [];
  for (let index = shown.first; index < shown.end; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node' || row?.kind === 'gone') found.push({ index, row });
  }
  const readFields = useRowFields(
    database,
    found.map(({ row }) => liveRow(row)),
  );
  function draw(index: number, row: TableRow): DrawnRow {
    const live = readFields(liveRow(row));
    return { index, row, live, fields: row.kind === 'gone' ? live : overlayFields(row.path, live, staged) };
  }
  return {
    drawn: found.map(({ index, row }) => draw(index, row)),
    rowAt(index) {
      const row = findRow(rows, index);
      return row?.kind === 'node' ? draw(index, row) : undefined;
    },
  };
}

/** The row as it is on the server, with nothing staged over it. */
function liveRow(row: TableRow): TableRow {
  const { staged } = row.node;
  return staged === undefined ? row : { ...row, node: staged.live ?? { ...NOTHING, key: row.node.key } };
}

/** In the place of a row that is not on the server yet. */
const NOTHING = { kind: 'object', childCount: 0, priority: null, preview: '{}' } as const;
