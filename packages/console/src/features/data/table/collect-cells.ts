import { parsePasted, parseTsv } from './cell-grid.ts';
import { MAX_PASTED_ROWS, type PastedRow } from './paste-cells.ts';
import { isCellOf, valueInColumn } from './table-columns.ts';
import type { CellPlace, CellRange } from './use-cell-range.ts';
import type { DrawnRow } from './use-table-rows.ts';

type RowAt = (index: number) => DrawnRow | undefined;

/** The values of selected cells, row by row. */
export function collectCells(
  { first, last }: Pick<CellRange, 'first' | 'last'>,
  columns: readonly string[],
  rowAt: RowAt,
): readonly (readonly unknown[])[] {
  const names = columns.slice(first.column, last.column + 1);
  return Array.from({ length: last.row - first.row + 1 }, (_, down) => {
    const fields = rowAt(first.row + down)?.fields;
    return names.map((name) => (fields === undefined ? undefined : valueInColumn(fields, name)));
  });
}

/** What becomes of rows from a cell on when a text is pasted there; cells that cannot have a value are passed over. */
export function collectPasted(
  text: string,
  from: CellPlace,
  columns: readonly string[],
  rowAt: RowAt,
): readonly PastedRow[] {
  const pasted: PastedRow[] = [];
  for (const [down, line] of parseTsv(text).slice(0, MAX_PASTED_ROWS).entries()) {
    const found = rowAt(from.row + down);
    if (found?.row.kind !== 'node') continue;
    const { row, fields } = found;
    const cells = line.flatMap((cell, right) => {
      const name = columns[from.column + right];
      return isCellOf(fields, name) ? [[name, parsePasted(cell, valueInColumn(fields, name))] as const] : [];
    });
    if (cells.length > 0) pasted.push({ path: row.path, cells: new Map(cells), shown: fields });
  }
  return pasted;
}
