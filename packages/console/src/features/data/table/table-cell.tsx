// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, which tables of HTML cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant.
import type { ReactNode } from 'react';
import { showControls } from '../../../elements/show-controls.ts';
import { printExact } from '../model/exact-json.ts';

interface TableCellProps {
  readonly id: string;
  readonly column: number;
  readonly value: unknown;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** In the place of the value while it is edited. */
  readonly editor: ReactNode;
}

/** Longest text that is drawn; there is no room for more. */
const MAX_DRAWN = 200;

/** A member of a row. */
export function TableCell({ id, column, value, isActive, isSelected, editor }: TableCellProps) {
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      data-column={column}
      className={`cell${isSelected ? ' selected' : ''}${isActive ? ' active' : ''}${editor === null ? '' : ' edited'}`}
    >
      {editor ?? (
        <bdi dir={kind === 'string' ? 'auto' : 'ltr'} className={kind === 'object' ? 'aside' : kind}>
          {value === undefined || value === null
            ? ''
            : showControls(
                typeof value === 'string'
                  ? value.slice(0, MAX_DRAWN)
                  : printExact(value, 0).slice(0, MAX_DRAWN),
              )}
        </bdi>
      )}
    </div>
  );
}
