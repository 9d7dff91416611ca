import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { MAX_PASTED_ROWS, type PastedRow } from '../edit/change-nodes.ts';
import {
  CELLS_TYPE,
  isCellOf,
  parseCells,
  parsePasted,
  parseTsv,
  printTsv,
  valueInColumn,
} from '../model/cells.ts';
import type { NodePath } from '../model/node-path.ts';
import { findIndex, findRow, type TreeRows } from '../tree/rows.ts';
import type { DrawnRow } from './rows.ts';

/** Position of a cell: rows from 0 in key order, columns from 0 without the key column. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  readonly active: CellPosition;
  readonly first: CellPosition;
  readonly last: CellPosition;
  /** Makes a cell active; `isExtending` extends the selection to it. */
  go(to: CellPosition, isExtending: boolean): void;
  /** Moves the whole selection by rows and columns. */
  shift(rows: number, columns: number): void;
}

/** Returns the selected cells, which form a rectangle with an active corner, and functions that change the selection. */
export function useCellRange(): CellRange {
  const [{ active, from }, setRange] = useState({ active: ORIGIN, from: ORIGIN });
  return useMemo(
    () => ({
      active,
      first: { row: Math.min(active.row, from.row), column: Math.min(active.column, from.column) },
      last: { row: Math.max(active.row, from.row), column: Math.max(active.column, from.column) },
      go: (to, isExtending) =>
        setRange(({ from }) =>
          isExtending ? { active: limitRows(to, from), from } : { active: to, from: to },
        ),
      shift: (rows, columns) => {
        const moved = ({ row, column }: CellPosition) => ({
          row: Math.max(0, row + rows),
          column: Math.max(0, column + columns),
        });
        setRange((before) => ({ active: moved(before.active), from: moved(before.from) }));
      },
    }),
    [active, from],
  );
}

const ORIGIN: CellPosition = { row: 0, column: 0 };

/** Maximum number of selected rows. */
const MAX_SELECTED_ROWS = 1_000;

/** Returns a corner of a selection, moved towards the other corner if there are too many rows between them. */
function limitRows({ row, column }: CellPosition, from: CellPosition): CellPosition {
  const farthest = MAX_SELECTED_ROWS - 1;
  return { row: Math.max(from.row - farthest, Math.min(row, from.row + farthest)), column };
}

/** Identifies the active cell by path and column, independent of its position. */
interface CellAnchor {
  readonly active: CellPosition;
  readonly path: NodePath;
  readonly column: string | undefined;
}

/** Keeps the selection on its rows and columns when rows or columns are added or removed before them. */
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

/** Returns the distance from one index to another; 0 if the target no longer exists (-1). */
function distance(from: number, to: number): number {
  return to < 0 ? 0 : to - from;
}

interface KeyTarget {
  readonly active: CellPosition;
  readonly columnCount: number;
  readonly rowCount: number;
  /** Number of rows that fit on the screen. */
  readonly onScreen: number;
  readonly go: (row: number, column: number, isExtending: boolean) => void;
  readonly edit: () => void;
  /** Opens the menu of the active column. */
  readonly openMenu: () => void;
}

/** Handles a key in the table. Ignores keys of editors in the table. */
export function takeTableKey(event: KeyboardEvent<HTMLElement>, target: KeyTarget): void {
  if (event.target !== event.currentTarget || event.altKey) return;
  const { active, columnCount, rowCount, onScreen, go, edit, openMenu } = target;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'Home') go(0, 0, event.shiftKey);
    else if (event.key === 'End') go(rowCount - 1, columnCount - 1, event.shiftKey);
    else return;
    event.preventDefault();
    return;
  }
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, isRtl ? -1 : 1],
    ArrowLeft: [0, isRtl ? 1 : -1],
    PageDown: [onScreen - 2, 0],
    PageUp: [2 - onScreen, 0],
    Home: [0, -columnCount],
    End: [0, columnCount],
  };
  const move = moves[event.key];
  if (move !== undefined) go(active.row + move[0], active.column + move[1], event.shiftKey);
  else if (event.key === 'Enter' || event.key === 'F2') edit();
  else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenu();
  else return;
  event.preventDefault();
}

/** The clipboard actions of the table. */
export interface TableClipboard {
  copy(clipboard: DataTransfer): void;
  /** `cells` is the text of the type `CELLS_TYPE`, empty if another program copied. */
  paste(text: string, cells: string): Promise<void>;
}

/**
 * Handles clipboard events while the table has the focus. Returns a ref to which the caller assigns the actions. If no text is
 * selected, browsers dispatch clipboard events to the document, not to the table, so the listeners are on the document.
 */
export function useTableClipboard(
  table: RefObject<HTMLElement | null>,
  mayPaste: boolean,
): RefObject<TableClipboard | null> {
  const latest = useRef<TableClipboard | null>(null);
  useEffect(() => {
    const isHere = (): boolean => table.current !== null && document.activeElement === table.current;
    function onCopy(event: ClipboardEvent): void {
      if (!isHere() || event.clipboardData === null) return;
      event.preventDefault();
      latest.current?.copy(event.clipboardData);
    }
    function onPaste(event: ClipboardEvent): void {
      if (!isHere() || !mayPaste || event.clipboardData === null) return;
      event.preventDefault();
      const { clipboardData } = event;
      void latest.current?.paste(clipboardData.getData('text/plain'), clipboardData.getData(CELLS_TYPE));
    }
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [table, mayPaste]);
  return latest;
}

type RowAt = (index: number) => DrawnRow | undefined;

/** Returns the values of the selected cells, row by row. */
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

/**
 * Returns the changes when text is pasted at a cell. Skips cells that cannot have a value. Cells that the console has copied keep
 * the types of their values.
 */
export function collectPasted(
  text: string,
  copied: string,
  from: CellPosition,
  columns: readonly string[],
  rowAt: RowAt,
): readonly PastedRow[] {
  const pasted: PastedRow[] = [];
  const cells = parseCells(copied);
  // Another page can put values into the clipboard that differ from the text.
  const values = cells !== undefined && printTsv(cells) === text ? cells : undefined;
  const lines = values ?? parseTsv(text);
  for (const [down, line] of lines.slice(0, MAX_PASTED_ROWS).entries()) {
    const found = rowAt(from.row + down);
    if (found?.row.kind !== 'node') continue;
    const { row, fields } = found;
    const changed = line.flatMap((cell: unknown, right) => {
      const name = columns[from.column + right];
      if (!isCellOf(fields, name)) return [];
      const value = values === undefined ? parsePasted(String(cell), valueInColumn(fields, name)) : cell;
      return [[name, value] as const];
    });
    if (changed.length > 0) pasted.push({ path: row.path, cells: new Map(changed), shown: fields });
  }
  return pasted;
}
