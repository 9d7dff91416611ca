// biome-ignore-all lint/a11y/useSemanticElements: HTML tables cannot have virtual rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.

import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import { styled } from '@mui/material/styles';
import { memo, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { MOTION, meaningColor } from '../../../ui/theme.ts';
import { pathInColumn, valueInColumn } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import { StageSign, stageStyles } from '../staging/marks.tsx';
import type { ChangeSign } from '../staging/overlay.ts';
import { DeniedValue } from '../tree/node-value.tsx';
import { type ColumnWindow, isTime, type PlacedColumn } from './columns.ts';
import { type DrawnRow, signOfCell } from './rows.ts';
import type { CellRange } from './selection.ts';

/** The scrolling container of the table, with the styles of its rows. */
export const TableGrid = styled('div')(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  position: 'relative',
  overflowAnchor: 'none',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  background: theme.palette.background.paper,
  fontFamily: MONOSPACE,
  fontSize: theme.typography.body2.fontSize,
  '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  // Shift selects cells, and not the text of the page.
  userSelect: 'none',
  '& [data-editor]': { userSelect: 'text' },
  '& .line': { display: 'flex', whiteSpace: 'nowrap' },
  '& .row': { position: 'absolute', insetInline: 0, contain: 'layout style' },
  '& .head': {
    position: 'sticky',
    insetBlockStart: 0,
    zIndex: 3,
    minWidth: '100%',
    background: theme.palette.background.paper,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    fontWeight: 600,
  },
  '& .cell': {
    boxSizing: 'border-box',
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    paddingInline: theme.spacing(1),
    borderInlineEnd: `1px solid ${theme.palette.divider}`,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    overflow: 'hidden',
  },
  '& .rest': { flexGrow: 1, borderBlockEnd: `1px solid ${theme.palette.divider}` },
  ...stageStyles(theme),
  '& .cell .sign': { marginInlineEnd: theme.spacing(0.5) },
  '& .row.gone': { animation: `gone ${MOTION.flashMs}ms ease-in forwards`, pointerEvents: 'none' },
  '@keyframes gone': {
    from: { backgroundColor: meaningColor(theme, 'flash'), opacity: 1 },
    to: { backgroundColor: 'transparent', opacity: 0 },
  },
  '& .cell bdi': { overflow: 'hidden', textOverflow: 'ellipsis' },
  // The editor covers the cell and its neighbors, so that nothing moves.
  '& .cell.edited': { overflow: 'visible', position: 'relative' },
  '& .row.edited': { zIndex: 2, contain: 'none' },
  '& .over': {
    position: 'absolute',
    insetBlockStart: -1,
    insetInlineStart: -1,
    zIndex: 2,
    minWidth: 'calc(100% + 2px)',
    width: 'max-content',
    maxWidth: '92vw',
    minHeight: 'calc(100% + 2px)',
    display: 'flex',
    alignItems: 'center',
    paddingInline: theme.spacing(1),
    background: theme.palette.background.paper,
    border: `2px solid ${theme.palette.primary.main}`,
    borderRadius: 4,
    boxShadow: theme.shadows[4],
  },
  '& .over.atEnd': { insetInlineStart: 'auto', insetInlineEnd: -1 },
  '& .over textarea, & .over input': { minWidth: 180 },
  '& .cell.selected': { background: theme.palette.action.selected },
  '& .cell.active': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  '& .pinned': { position: 'sticky', zIndex: 1, background: theme.palette.background.paper },
  '& .pinned.selected': {
    backgroundImage: `linear-gradient(${theme.palette.action.selected}, ${theme.palette.action.selected})`,
  },
  '& .pinned.edited': { zIndex: 2 },
  '& .key': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    position: 'sticky',
    insetInlineStart: 0,
    zIndex: 1,
    background: theme.palette.background.paper,
  },
  '& .head .cell': { gap: theme.spacing(0.5), position: 'relative' },
  '& .head .key, & .head .pinned': { position: 'sticky', zIndex: 1 },
  '& .name': {
    all: 'unset',
    flex: 1,
    minWidth: 0,
    display: 'flex',
    alignItems: 'baseline',
    gap: theme.spacing(0.5),
    overflow: 'hidden',
    cursor: 'pointer',
  },
  '& .name bdi': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& .name[data-type]::after': {
    content: 'attr(data-type)',
    color: theme.palette.text.secondary,
    fontFamily: theme.typography.fontFamily,
    fontWeight: 400,
    fontSize: '0.85em',
  },
  '& .edge': {
    position: 'absolute',
    insetBlock: 0,
    insetInlineEnd: 0,
    width: 9,
    cursor: 'col-resize',
    touchAction: 'none',
  },
  '& .edge:hover, & .edge.dragged': { background: theme.palette.primary.main, opacity: 0.5 },
  '& .unread': {
    display: 'block',
    height: '0.6em',
    width: '14ch',
    borderRadius: 4,
    background: theme.palette.action.hover,
  },
  '& .string': { color: meaningColor(theme, 'string') },
  '& .number': { color: meaningColor(theme, 'number') },
  '& .boolean': { color: meaningColor(theme, 'boolean') },
  '& .aside': { color: theme.palette.text.secondary },
  '& .flash': { animation: `flash ${MOTION.flashMs}ms ease-out` },
  '@keyframes flash': {
    from: { backgroundColor: meaningColor(theme, 'flash') },
    to: { backgroundColor: 'transparent' },
  },
  // Flash and selection together would make the text unreadable.
  '& .flash .cell.selected': { animation: `select ${MOTION.flashMs}ms ease-out` },
  '@keyframes select': { from: { backgroundColor: 'transparent' } },
}));

interface TableCellProps {
  readonly id: string;
  /** Index among the shown columns. */
  readonly index: number;
  readonly column: PlacedColumn;
  readonly value: unknown;
  /** The staged change of the cell, if any. */
  readonly sign: ChangeSign | undefined;
  /** The current value on the server. */
  readonly was: unknown;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly printTime: PrintTime;
  /** Covers the value while it is edited; otherwise `null`. */
  readonly editor: ReactNode;
}

/** Prints a time in milliseconds since 1970; `null` if times are shown as numbers. */
export type PrintTime = ((ms: number) => string) | null;

/** Returns how times are shown. */
export function usePrintTime(isRaw: boolean): PrintTime {
  const { i18n } = useTranslation();
  return useMemo(() => {
    if (isRaw) return null;
    const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'medium' });
    return (ms) => format.format(ms);
  }, [isRaw, i18n.language]);
}

/** Maximum length of drawn text in UTF-16 code units; more does not fit into a cell. */
const MAX_DRAWN = 200;

/** A cell of a row. */
function TableCell(props: TableCellProps) {
  const { id, index, column, value, sign, was, isActive, isSelected, printTime, editor } = props;
  const marks = [
    column.isPinned && 'pinned',
    isSelected && 'selected',
    isActive && 'active',
    editor !== null && 'edited',
    sign !== undefined && `staged ${sign}`,
  ];
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={index + 2}
      aria-selected={isSelected}
      data-column={index}
      className={['cell', ...marks.filter((mark) => mark !== false)].join(' ')}
      style={placeOf(column)}
    >
      {editor ?? (
        <>
          {sign !== undefined && <StageSign sign={sign} />}
          <CellValue value={sign === 'removed' ? was : value} printTime={printTime} />
          {sign === 'changed' && (
            <s className="was">
              <CellValue value={was} printTime={printTime} />
            </s>
          )}
        </>
      )}
    </div>
  );
}

/** Returns the width of a column, and where it stays if it is pinned. */
function placeOf({ widthPx, startPx, isPinned }: PlacedColumn) {
  return { width: widthPx, ...(isPinned ? { insetInlineStart: startPx } : {}) };
}

interface CellValueProps {
  readonly value: unknown;
  readonly printTime: PrintTime;
}

function CellValue({ value, printTime }: CellValueProps) {
  if (value === undefined || value === null) return null;
  if (printTime !== null && isTime(value))
    return (
      <bdi className="number" title={String(value)}>
        {printTime(value)}
      </bdi>
    );
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  const text = typeof value === 'string' ? value : printExact(value, 0);
  return (
    <bdi dir={kind === 'string' ? 'auto' : 'ltr'} className={kind === 'object' ? 'aside' : kind}>
      {showControls(text.slice(0, MAX_DRAWN))}
    </bdi>
  );
}

/** The editor of a cell, over the cell and its neighbors. */
interface CellEditor {
  readonly path: NodePath;
  readonly view: ReactNode;
}

/** The selected columns of a row; `active` is -1 in other rows than the active one. */
export interface RowSelection {
  readonly first: number;
  readonly last: number;
  readonly active: number;
}

/** Returns the selected columns of a row; `null` if it has none. */
export function selectionIn(row: number, { first, last, active }: CellRange): RowSelection | null {
  if (row < first.row || row > last.row) return null;
  return { first: first.column, last: last.column, active: row === active.row ? active.column : -1 };
}

interface TableLineProps {
  readonly drawn: DrawnRow;
  /** Distance from the upper edge of the element that holds the rows. */
  readonly topPx: number;
  readonly columns: readonly PlacedColumn[];
  readonly shown: ColumnWindow;
  readonly keyWidthPx: number;
  readonly selection: RowSelection | null;
  readonly rowHeightPx: number;
  readonly cellId: (row: number, column: number) => string;
  readonly printTime: PrintTime;
  readonly editor: CellEditor | null;
  /** Whether the editor is aligned with the end of its cell, because it would be beyond the screen otherwise. */
  readonly isEditorAtEnd: boolean;
}

/** A row of the table. The row of a removed child is not interactive while it fades out. */
export const TableLine = memo(function TableLine(props: TableLineProps) {
  const { drawn, columns, shown, keyWidthPx, selection, rowHeightPx, cellId, printTime, editor } = props;
  const { index, row, live, fields } = drawn;
  const isRemoved = row.kind === 'gone';
  const sign = row.node.staged?.sign;
  const isFlashing = row.kind === 'node' && Date.now() - row.changedAtMs < MOTION.flashMs;
  const marks = [
    editor !== null && 'edited',
    isFlashing && 'flash',
    isRemoved && 'gone',
    sign === 'removed' && 'removed',
  ];
  const cell = (at: number): ReactNode => {
    const column = columns[at];
    if (column === undefined) return null;
    const { name } = column;
    const isEdited = row.kind === 'node' && editor?.path === pathInColumn(row.path, name);
    return (
      <TableCell
        key={name}
        id={cellId(index, at)}
        index={at}
        column={column}
        value={valueInColumn(fields, name)}
        was={valueInColumn(live, name)}
        sign={isRemoved ? undefined : signOfCell(valueInColumn(live, name), valueInColumn(fields, name))}
        isActive={selection?.active === at}
        isSelected={selection !== null && at >= selection.first && at <= selection.last}
        printTime={printTime}
        editor={
          isEdited ? <div className={props.isEditorAtEnd ? 'over atEnd' : 'over'}>{editor.view}</div> : null
        }
      />
    );
  };
  return (
    <div
      role="row"
      aria-hidden={isRemoved || undefined}
      aria-rowindex={index + 2}
      data-row={index}
      className={['line row', ...marks.filter((mark) => mark !== false)].join(' ')}
      style={{ top: props.topPx, height: rowHeightPx }}
    >
      <div role="rowheader" className="cell key" style={{ width: keyWidthPx }}>
        {sign !== undefined && <StageSign sign={sign} />}
        <bdi dir="ltr">{showControls(row.node.key)}</bdi> {row.node.isDenied === true && <DeniedValue />}
      </div>
      {drawColumns(shown, cell)}
      <div role="presentation" className="rest" />
    </div>
  );
}, isSameLine);

/** Draws the pinned columns, a gap for those before the screen, and the columns on the screen. */
export function drawColumns(
  { first, end, pinnedCount, gapPx }: ColumnWindow,
  draw: (column: number) => ReactNode,
): ReactNode {
  const parts: ReactNode[] = [];
  for (let column = 0; column < pinnedCount; column++) parts.push(draw(column));
  parts.push(<div key=" " role="presentation" className="gap" style={{ width: gapPx, flexShrink: 0 }} />);
  for (let column = first; column < end; column++) parts.push(draw(column));
  return parts;
}

/** Returns whether a row looks the same as before: its drawn row is another object after each scroll. */
function isSameLine(before: TableLineProps, after: TableLineProps): boolean {
  return (
    isSameRow(before.drawn, after.drawn) &&
    before.topPx === after.topPx &&
    isSameSelection(before.selection, after.selection) &&
    before.columns === after.columns &&
    before.shown === after.shown &&
    before.keyWidthPx === after.keyWidthPx &&
    before.rowHeightPx === after.rowHeightPx &&
    before.cellId === after.cellId &&
    before.printTime === after.printTime &&
    before.editor === after.editor &&
    before.isEditorAtEnd === after.isEditorAtEnd
  );
}

function isSameRow(before: DrawnRow, after: DrawnRow): boolean {
  const { row, index, live, fields } = before;
  return (
    index === after.index &&
    live === after.live &&
    fields === after.fields &&
    row.kind === after.row.kind &&
    row.node === after.row.node &&
    row.level === after.row.level
  );
}

function isSameSelection(before: RowSelection | null, after: RowSelection | null): boolean {
  if (before === null || after === null) return before === after;
  return before.first === after.first && before.last === after.last && before.active === after.active;
}
