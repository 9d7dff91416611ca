// biome-ignore-all lint/a11y/useSemanticElements: HTML tables cannot have virtual rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.

import { type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { VALUE_COLUMN } from '../model/cells.ts';
import {
  type ColumnLayout,
  type ColumnType,
  type ColumnWindow,
  KEY_COLUMN,
  type PlacedColumn,
  resizeColumn,
} from './columns.ts';
import { drawColumns } from './grid.tsx';

interface TableHeadProps {
  readonly columns: readonly PlacedColumn[];
  readonly shown: ColumnWindow;
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly keyWidthPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly change: (by: (before: ColumnLayout) => ColumnLayout) => void;
  /** Opens the menu of a column below its name. */
  readonly openMenu: (name: string, anchor: HTMLElement) => void;
}

/** The header row of the table: the name and the type of each column. */
export function TableHead(props: TableHeadProps) {
  const { columns, shown, types, keyWidthPx, widthPx, heightPx, change, openMenu } = props;
  const { t } = useTranslation('data');
  return (
    <div role="row" aria-rowindex={1} className="line head" style={{ height: heightPx, width: widthPx }}>
      <div role="columnheader" className="cell key" style={{ width: keyWidthPx }}>
        {t('table.key')}
        <ResizeEdge name={KEY_COLUMN} change={change} widthPx={keyWidthPx} />
      </div>
      {drawColumns(shown, (index) => {
        const column = columns[index];
        if (column === undefined) return null;
        const { name, isPinned, startPx } = column;
        const type = types.get(name);
        return (
          <div
            role="columnheader"
            key={name}
            aria-colindex={index + 2}
            data-head={index}
            className={isPinned ? 'cell pinned' : 'cell'}
            style={{ width: column.widthPx, ...(isPinned ? { insetInlineStart: startPx } : {}) }}
          >
            {/* The keyboard also opens the menu of the active column. */}
            <button
              type="button"
              tabIndex={-1}
              className="name"
              data-type={type === undefined ? undefined : t(`table.types.${type}`)}
              onClick={(event) => openMenu(name, event.currentTarget)}
            >
              {name === VALUE_COLUMN ? t('table.value') : <bdi dir="ltr">{showControls(name)}</bdi>}
            </button>
            <ResizeEdge name={name} change={change} widthPx={column.widthPx} />
          </div>
        );
      })}
      <div role="presentation" className="rest" />
    </div>
  );
}

interface ResizeEdgeProps {
  readonly name: string;
  readonly widthPx: number;
  readonly change: TableHeadProps['change'];
}

/** The edge of a column, which changes its width while it is dragged. */
function ResizeEdge({ name, widthPx, change }: ResizeEdgeProps) {
  const dragged = useRef<{ readonly fromPx: number; readonly widthPx: number; readonly sign: number } | null>(
    null,
  );
  function begin(event: PointerEvent<HTMLElement>): void {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    dragged.current = { fromPx: event.clientX, widthPx, sign: isRtl ? -1 : 1 };
  }
  function drag({ clientX }: PointerEvent<HTMLElement>): void {
    const from = dragged.current;
    if (from === null) return;
    change((before) => resizeColumn(before, name, from.widthPx + from.sign * (clientX - from.fromPx)));
  }
  return (
    <span
      className="edge"
      data-edge={name}
      aria-hidden
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={() => {
        dragged.current = null;
      }}
      onPointerCancel={() => {
        dragged.current = null;
      }}
    />
  );
}
