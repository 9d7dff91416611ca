// biome-ignore-all lint/a11y/useSemanticElements: HTML tables cannot have virtual rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
import Box from '@mui/material/Box';
import { type ReactNode, type RefObject, useCallback, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusAfter } from '../../../ui/interaction.ts';
import { DetachedEditor, InlineEditor, type ValueEditor } from '../edit/value-editor.tsx';
import { pathInColumn } from '../model/cells.ts';
import { lastKeyOf } from '../model/node-path.ts';
import type { RowScroll } from '../tree/row-scroll.ts';
import { linesIn, type RowWindow } from '../tree/row-window.ts';
import { findRow, idOfRow, type TreeRows } from '../tree/rows.ts';
import { ColumnMenu, type ColumnMenuState } from './column-menu.tsx';
import { type ColumnLayout, KEY_COLUMN, type PlacedColumn, totalWidth, widthOf } from './columns.ts';
import { selectionIn, TableGrid, TableLine, usePrintTime } from './grid.tsx';
import { TableHead } from './head.tsx';
import type { DrawnRow, SeenColumns } from './rows.ts';
import { type CellRange, takeTableKey } from './selection.ts';
import { scrollToColumn, useColumnWindow } from './use-column-window.ts';

/** Width of the editor of a cell in pixels, as far as it fits. */
const EDITOR_PX = 460;

interface TableViewProps {
  readonly label: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly scroll: RowScroll;
  readonly rows: TreeRows;
  readonly rowHeightPx: number;
  /** The rows to draw, and those of them that are loaded. */
  readonly shown: RowWindow;
  readonly drawn: readonly DrawnRow[];
  /** The shown columns, and all columns in key order with the types of their values. */
  readonly columns: readonly PlacedColumn[];
  readonly seen: SeenColumns;
  readonly layout: ColumnLayout;
  readonly change: (by: (before: ColumnLayout) => ColumnLayout) => void;
  readonly sort: (name: string) => void;
  readonly range: CellRange;
  readonly editor: ValueEditor;
  /** Edits the active cell. */
  readonly startEdit: () => void;
}

/** Draws the cells on the screen, and handles mouse and keyboard. */
export function TableView(props: TableViewProps) {
  const {
    label,
    scroller,
    scroll,
    rows,
    rowHeightPx,
    shown,
    drawn,
    columns,
    layout,
    range,
    editor,
    startEdit,
  } = props;
  const { t } = useTranslation('data');
  const id = useId();
  const cellId = useCallback((row: number, column: number): string => `${id}${row}-${column}`, [id]);
  const [menu, setMenu] = useState<ColumnMenuState | null>(null);
  const shownColumns = useColumnWindow(scroller, columns, true);
  const printTime = usePrintTime(layout.isRawTime);
  const keyWidthPx = widthOf(KEY_COLUMN, layout);
  const widthPx = totalWidth(columns, layout);
  const { edit } = editor;
  useFocusAfter(
    edit === null,
    useCallback(() => scroller.current?.focus(), [scroller]),
  );
  const editorView = useMemo(
    () =>
      edit && {
        path: edit.path,
        view: (
          <InlineEditor
            editor={editor}
            edit={edit}
            label={t('edit.valueOf', { key: lastKeyOf(edit.path) })}
            otherValue={null}
            close={editor.close}
          />
        ),
      },
    [editor, edit, t],
  );
  const isDrawn = (column: number): boolean =>
    column < shownColumns.pinnedCount || (column >= shownColumns.first && column < shownColumns.end);
  const editedColumn = ({ row }: DrawnRow): PlacedColumn | undefined =>
    row.kind === 'node' && edit !== null
      ? columns.find(({ name }, index) => isDrawn(index) && pathInColumn(row.path, name) === edit.path)
      : undefined;
  const isEdited = (one: DrawnRow): boolean => editedColumn(one) !== undefined;

  function go(row: number, column: number, isExtending: boolean): void {
    const to = {
      row: Math.max(0, Math.min(row, rows.total - 1)),
      column: Math.max(0, Math.min(column, columns.length - 1)),
    };
    range.go(to, isExtending);
    const element = scroller.current;
    if (element === null) return;
    const topPx = to.row * rowHeightPx;
    const shownPx = scroll.readTopPx();
    if (topPx < shownPx) scroll.scrollTo(topPx);
    else if (topPx + 2 * rowHeightPx > shownPx + element.clientHeight)
      scroll.scrollTo(topPx + 2 * rowHeightPx - element.clientHeight);
    const lastPinned = columns[shownColumns.pinnedCount - 1];
    const pinnedPx = lastPinned === undefined ? keyWidthPx : lastPinned.startPx + lastPinned.widthPx;
    scrollToColumn(element, columns[to.column], pinnedPx);
  }
  function openActiveMenu(): void {
    const name = columns[range.active.column]?.name;
    const anchor = scroller.current?.querySelector<HTMLElement>(`[data-head="${range.active.column}"] .name`);
    if (name !== undefined && anchor != null) setMenu({ name, anchor });
  }
  /** Returns whether the editor would be beyond the screen if it began where its column begins. */
  function isAtEnd(column: PlacedColumn | undefined): boolean {
    const element = scroller.current;
    if (column === undefined || element === null) return false;
    const startPx = column.startPx - (column.isPinned ? 0 : Math.abs(element.scrollLeft));
    return startPx + EDITOR_PX > element.clientWidth && startPx + column.widthPx > EDITOR_PX;
  }
  const lines: ReactNode[] = [];
  const byIndex = new Map(drawn.map((one) => [one.index, one]));
  for (let index = shown.first; index < shown.end; index++) {
    const one = byIndex.get(index);
    if (one === undefined) {
      if (findRow(rows, index)?.kind === 'unread')
        lines.push(
          <UnreadLine
            key={`unread${index}`}
            index={index}
            topPx={scroll.topOf(index)}
            rowHeightPx={rowHeightPx}
          />,
        );
      continue;
    }
    const edited = editedColumn(one);
    lines.push(
      <TableLine
        // A new key restarts the flash after each change. While the row is edited, the key stays, so that its field keeps the
        // focus.
        key={edited === undefined ? flashKey(one) : idOfRow(one.row)}
        drawn={one}
        topPx={scroll.topOf(index)}
        columns={columns}
        shown={shownColumns}
        keyWidthPx={keyWidthPx}
        selection={selectionIn(index, range)}
        rowHeightPx={rowHeightPx}
        cellId={cellId}
        printTime={printTime}
        editor={edited === undefined ? null : editorView}
        isEditorAtEnd={isAtEnd(edited)}
      />,
    );
  }
  const { active } = range;
  return (
    <>
      {editorView !== null && !drawn.some(isEdited) && (
        <DetachedEditor path={editorView.path}>{editorView.view}</DetachedEditor>
      )}
      <TableGrid
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={
          byIndex.has(active.row) && active.column < columns.length && isDrawn(active.column)
            ? cellId(active.row, active.column)
            : undefined
        }
        onKeyDown={(event) =>
          takeTableKey(event, {
            active,
            columnCount: columns.length,
            rowCount: rows.total,
            onScreen: linesIn(scroller.current, rowHeightPx),
            go,
            edit: startEdit,
            openMenu: openActiveMenu,
          })
        }
        onClick={(event) => {
          const hit = findCell(event.target);
          if (hit !== null) range.go(hit, event.shiftKey);
        }}
        onDoubleClick={(event) => {
          if (findCell(event.target) !== null) startEdit();
        }}
      >
        <TableHead
          columns={columns}
          shown={shownColumns}
          types={props.seen.types}
          keyWidthPx={keyWidthPx}
          widthPx={widthPx}
          heightPx={rowHeightPx}
          change={props.change}
          openMenu={(name, anchor) => setMenu({ name, anchor })}
        />
        <Box
          role="presentation"
          sx={{ position: 'relative', minWidth: '100%' }}
          style={{ height: scroll.contentPx, width: widthPx }}
        >
          {lines}
        </Box>
      </TableGrid>
      {menu !== null && (
        <ColumnMenu
          {...menu}
          names={props.seen.names}
          layout={layout}
          change={props.change}
          sort={props.sort}
          close={() => {
            setMenu(null);
            scroller.current?.focus();
          }}
        />
      )}
    </>
  );
}

interface UnreadLineProps {
  readonly index: number;
  readonly topPx: number;
  readonly rowHeightPx: number;
}

/** Stands for a row that is not loaded. */
function UnreadLine({ index, topPx, rowHeightPx }: UnreadLineProps) {
  const { t } = useTranslation('data');
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      className="line row"
      style={{ top: topPx, height: rowHeightPx }}
    >
      <span role="gridcell" className="cell">
        <span role="progressbar" aria-label={t('tree.reading')} className="unread" />
      </span>
    </div>
  );
}

function flashKey({ row }: DrawnRow): string {
  return row.kind === 'node' ? `${row.path}#${row.changedAtMs}` : row.id;
}

function findCell(target: EventTarget): { readonly row: number; readonly column: number } | null {
  if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return null;
  const column = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return column === undefined || row === undefined ? null : { row: Number(row), column: Number(column) };
}
