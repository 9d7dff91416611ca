// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, which tables of HTML cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant.
import type { ReactNode } from 'react';
import { showControls } from '../../../elements/show-controls.ts';
import { MOTION } from '../../../theme.ts';
import { RefusedValue } from '../act-as/refused-value.tsx';
import type { NodePath } from '../model/node-path.ts';
import { signOfCell } from '../staged/overlay-fields.ts';
import { StageSign } from '../staged/stage-sign.tsx';
import { TableCell } from './table-cell.tsx';
import { pathInColumn, valueInColumn } from './table-columns.ts';
import type { CellRange } from './use-cell-range.ts';
import type { DrawnRow } from './use-table-rows.ts';

interface TableLineProps {
  readonly drawn: DrawnRow;
  readonly columns: readonly string[];
  readonly range: CellRange;
  readonly rowHeightPx: number;
  readonly cellId: (row: number, column: number) => string;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
}

/** A row of the table. One that others have removed is only there to be seen while it fades. */
export function TableLine({ drawn, columns, range, rowHeightPx, cellId, editor }: TableLineProps) {
  const { index, row, live, fields } = drawn;
  const { first, last, active } = range;
  const isGone = row.kind === 'gone';
  const sign = row.node.staged?.sign;
  const isFlashing = row.kind === 'node' && Date.now() - row.changedAtMs < MOTION.flashMs;
  const isInRange = (column: number): boolean =>
    index >= first.row && index <= last.row && column >= first.column && column <= last.column;
  return (
    <div
      role="row"
      aria-hidden={isGone || undefined}
      aria-rowindex={index + 2}
      data-row={index}
      className={`line row${isFlashing ? ' flash' : ''}${isGone ? ' gone' : ''}${sign === 'removed' ? ' removed' : ''}`}
      style={{ top: index * rowHeightPx, height: rowHeightPx }}
    >
      <div role="rowheader" className="cell key">
        {sign !== undefined && <StageSign sign={sign} />}
        <bdi dir="ltr">{showControls(row.node.key)}</bdi> {row.node.isRefused === true && <RefusedValue />}
      </div>
      {columns.map((name, column) => (
        <TableCell
          key={name}
          id={cellId(index, column)}
          column={column}
          value={valueInColumn(fields, name)}
          was={valueInColumn(live, name)}
          sign={isGone ? undefined : signOfCell(valueInColumn(live, name), valueInColumn(fields, name))}
          isActive={active.row === index && active.column === column}
          isSelected={isInRange(column)}
          editor={row.kind === 'node' && editor?.path === pathInColumn(row.path, name) ? editor.view : null}
        />
      ))}
    </div>
  );
}
