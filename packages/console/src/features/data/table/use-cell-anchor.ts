import { useLayoutEffect, useRef } from 'react';
import type { NodePath } from '../model/node-path.ts';
import { findIndex, findRow, type TreeRows } from '../tree/tree-rows.ts';
import type { CellPlace, CellRange } from './use-cell-range.ts';

/** What the active cell is, wherever it stands. */
interface CellAnchor {
  readonly active: CellPlace;
  readonly path: NodePath;
  readonly column: string | undefined;
}

/** Keeps a selection on its rows and columns when others come or go before them. */
export function useCellAnchor(range: CellRange, rows: TreeRows, columns: readonly string[]): void {
  const anchor = useRef<CellAnchor | undefined>(undefined);
  useLayoutEffect(() => {
    const { active } = range;
    const before = anchor.current;
    if (before?.active === active) {
      const down = distance(active.row, findIndex(rows, before.path));
      const right = distance(
        active.column,
        before.column === undefined ? -1 : columns.indexOf(before.column),
      );
      if (down !== 0 || right !== 0) {
        range.shift(down, right);
        anchor.current = undefined;
        return;
      }
    }
    const row = findRow(rows, active.row);
    anchor.current =
      row?.kind === 'node' ? { active, path: row.path, column: columns[active.column] } : undefined;
  }, [range, rows, columns]);
}

/** How far something has moved; not at all if it is gone. */
function distance(from: number, to: number): number {
  return to < 0 ? 0 : to - from;
}
