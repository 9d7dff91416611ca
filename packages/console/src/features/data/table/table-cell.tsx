// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, which tables of HTML cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant.
import type { ReactNode } from 'react';
import { showControls } from '../../../elements/show-controls.ts';
import { printExact } from '../model/exact-json.ts';
import type { ChangeSign } from '../staged/differences.ts';
import { StageSign } from '../staged/stage-sign.tsx';

interface TableCellProps {
  readonly id: string;
  readonly column: number;
  readonly value: unknown;
  /** What staged edits make of it, and what it is before them. */
  readonly sign: ChangeSign | undefined;
  readonly was: unknown;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** In the place of the value while it is edited. */
  readonly editor: ReactNode;
}

/** Longest text that is drawn; there is no room for more. */
const MAX_DRAWN = 200;

/** A member of a row. */
export function TableCell(props: TableCellProps) {
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
