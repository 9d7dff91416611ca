import { useMemo, useState } from 'react';

/** A cell by its place: rows from 0 in the order of keys, columns from 0 without that of the keys. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  readonly active: CellPlace;
  readonly first: CellPlace;
  readonly last: CellPlace;
  /** Goes to a cell; `isExtending` selects everything from where the selection began. */
  go(to: CellPlace, isExtending: boolean): void;
  /** Moves the selection as a whole. */
  shift(rows: number, columns: number): void;
}

/** Cells that are selected: a rectangle with one of its corners active. */
export function useCellRange(): CellRange {
  const [{ active, from }, setRange] = useState({ active: ORIGIN, from: ORIGIN });
  return useMemo(
    () => ({
      active,
      first: { row: Math.min(active.row, from.row), column: Math.min(active.column, from.column) },
      last: { row: Math.max(active.row, from.row), column: Math.max(active.column, from.column) },
      go: (to, isExtending) => setRange((before) => ({ active: to, from: isExtending ? before.from : to })),
      shift: (rows, columns) => {
        const moved = ({ row, column }: CellPlace) => ({
          row: Math.max(0, row + rows),
          column: Math.max(0, column + columns),
        });
        setRange((before) => ({ active: moved(before.active), from: moved(before.from) }));
      },
    }),
    [active, from],
  );
}

const ORIGIN: CellPlace = { row: 0, column: 0 };
