import { useRef } from 'react';
import type { RowFields } from './cell-grid.ts';
import { addColumns } from './table-columns.ts';

/** The columns of all rows that were drawn so far: they stay while one scrolls. */
export function useColumns(drawn: readonly RowFields[]): readonly string[] {
  const columns = useRef<readonly string[]>([]);
  columns.current = addColumns(columns.current, drawn);
  return columns.current;
}
