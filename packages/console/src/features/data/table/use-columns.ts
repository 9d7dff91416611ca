import { compareKeys } from '@hearth/core/tree/key.ts';
import { useRef } from 'react';
import type { RowFields } from './cell-grid.ts';

/** Columns that a table has at most; what else rows have is in their JSON. */
const MAX_COLUMNS = 60;

/** The names of all members of rows that were drawn so far, in the order of keys: columns stay while one scrolls. */
export function useColumns(drawn: readonly RowFields[]): readonly string[] {
  const columns = useRef<readonly string[]>([]);
  const known = new Set(columns.current);
  for (const row of drawn)
    if (row.kind === 'fields')
      for (const name of row.fields.keys()) if (known.size < MAX_COLUMNS) known.add(name);
  if (known.size !== columns.current.length) columns.current = [...known].sort(compareKeys);
  return columns.current;
}
