// biome-ignore-all lint/a11y/useSemanticElements: HTML tables cannot have virtual rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.

import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { MONOSPACE, MOTION, meaningColor } from '../../../ui/theme.ts';
import { pathInColumn, VALUE_COLUMN, valueInColumn } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import { StageSign, stageStyles } from '../staging/marks.tsx';
import type { ChangeSign } from '../staging/overlay.ts';
import { DeniedValue } from '../tree/node-value.tsx';
import { type DrawnRow, signOfCell } from './rows.ts';
import type { CellRange } from './selection.ts';

/** Width of a column in pixels. */
export const COLUMN_PX = 190;

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
  '& .line': { display: 'flex', whiteSpace: 'nowrap' },
  '& .row': { position: 'absolute', insetInlineStart: 0, minWidth: '100%' },
  '& .head': {
    position: 'sticky',
    insetBlockStart: 0,
    zIndex: 2,
    width: 'max-content',
    minWidth: '100%',
    background: theme.palette.background.paper,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    fontWeight: 600,
  },
  '& .cell': {
    width: COLUMN_PX,
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    paddingInline: theme.spacing(1),
    borderInlineEnd: `1px solid ${theme.palette.divider}`,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    overflow: 'hidden',
  },
  '& .cell:last-child': { flexGrow: 1 },
  ...stageStyles(theme),
  '& .cell .sign': { marginInlineEnd: theme.spacing(0.5) },
  '& .row.gone': { animation: `gone ${MOTION.flashMs}ms ease-in forwards`, pointerEvents: 'none' },
  '@keyframes gone': {
    from: { backgroundColor: meaningColor(theme, 'flash'), opacity: 1 },
    to: { backgroundColor: 'transparent', opacity: 0 },
  },
  '& .cell bdi': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& .cell.edited': { width: 'auto', minWidth: 420 },
  '& .row.edited': { zIndex: 1, background: theme.palette.background.paper },
  '& .cell.selected': { background: theme.palette.action.selected },
  '& .cell.active': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  '& .key': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    position: 'sticky',
    insetInlineStart: 0,
    zIndex: 1,
    background: theme.palette.background.paper,
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
  readonly column: number;
  readonly value: unknown;
  /** The staged change of the cell, if any. */
  readonly sign: ChangeSign | undefined;
  /** The current value on the server. */
  readonly was: unknown;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Replaces the value while it is edited; otherwise `null`. */
  readonly editor: ReactNode;
}

/** Maximum length of drawn text in UTF-16 code units; more does not fit into a cell. */
const MAX_DRAWN = 200;

/** A cell of a row. */
function TableCell(props: TableCellProps) {
  const { id, column, value, sign, was, isActive, isSelected, editor } = props;
  const marks = [
    isSelected && 'selected',
    isActive && 'active',
    editor !== null && 'edited',
    sign !== undefined && `staged ${sign}`,
  ];
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      data-column={column}
      className={['cell', ...marks.filter((mark) => mark !== false)].join(' ')}
    >
      {editor ?? (
        <>
          {sign !== undefined && <StageSign sign={sign} />}
          <CellValue value={sign === 'removed' ? was : value} />
          {sign === 'changed' && (
            <s className="was">
              <CellValue value={was} />
            </s>
          )}
        </>
      )}
    </div>
  );
}

function CellValue({ value }: { readonly value: unknown }) {
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return (
    <bdi dir={kind === 'string' ? 'auto' : 'ltr'} className={kind === 'object' ? 'aside' : kind}>
      {value === undefined || value === null
        ? ''
        : showControls((typeof value === 'string' ? value : printExact(value, 0)).slice(0, MAX_DRAWN))}
    </bdi>
  );
}

interface TableLineProps {
  readonly drawn: DrawnRow;
  readonly columns: readonly string[];
  readonly range: CellRange;
  readonly rowHeightPx: number;
  readonly cellId: (row: number, column: number) => string;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
}

/** A row of the table. The row of a removed child is not interactive while it fades out. */
export function TableLine({ drawn, columns, range, rowHeightPx, cellId, editor }: TableLineProps) {
  const { index, row, live, fields } = drawn;
  const { first, last, active } = range;
  const isRemoved = row.kind === 'gone';
  const sign = row.node.staged?.sign;
  const isFlashing = row.kind === 'node' && Date.now() - row.changedAtMs < MOTION.flashMs;
  const isInRange = (column: number): boolean =>
    index >= first.row && index <= last.row && column >= first.column && column <= last.column;
  const isEdited =
    row.kind === 'node' && columns.some((name) => editor?.path === pathInColumn(row.path, name));
  return (
    <div
      role="row"
      aria-hidden={isRemoved || undefined}
      aria-rowindex={index + 2}
      data-row={index}
      className={`line row${isEdited ? ' edited' : ''}${isFlashing ? ' flash' : ''}${isRemoved ? ' gone' : ''}${sign === 'removed' ? ' removed' : ''}`}
      // A field with several lines covers the rows below.
      style={{ top: index * rowHeightPx, [isEdited ? 'minHeight' : 'height']: rowHeightPx }}
    >
      <div role="rowheader" className="cell key">
        {sign !== undefined && <StageSign sign={sign} />}
        <bdi dir="ltr">{showControls(row.node.key)}</bdi> {row.node.isRefused === true && <DeniedValue />}
      </div>
      {columns.map((name, column) => (
        <TableCell
          key={name}
          id={cellId(index, column)}
          column={column}
          value={valueInColumn(fields, name)}
          was={valueInColumn(live, name)}
          sign={isRemoved ? undefined : signOfCell(valueInColumn(live, name), valueInColumn(fields, name))}
          isActive={active.row === index && active.column === column}
          isSelected={isInRange(column)}
          editor={row.kind === 'node' && editor?.path === pathInColumn(row.path, name) ? editor.view : null}
        />
      ))}
    </div>
  );
}

interface TableHeadProps {
  readonly columns: readonly string[];
  readonly heightPx: number;
}

/** The header row of the table. */
export function TableHead({ columns, heightPx }: TableHeadProps) {
  const { t } = useTranslation('data');
  return (
    <div role="row" aria-rowindex={1} className="line head" style={{ height: heightPx }}>
      <div role="columnheader" className="cell key">
        {t('table.key')}
      </div>
      {columns.map((name) => (
        <div role="columnheader" key={name} className="cell">
          {name === VALUE_COLUMN ? t('table.value') : <bdi dir="ltr">{showControls(name)}</bdi>}
        </div>
      ))}
    </div>
  );
}
