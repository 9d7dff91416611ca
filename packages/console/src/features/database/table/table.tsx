import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { ROW_HEIGHT_PX } from '../../../ui/theme.ts';
import { usePreferences } from '../../../ui/use-preferences.ts';
import type { NodeActions } from '../edit/node-actions.ts';
import type { ValueEditor } from '../edit/value-editor.tsx';
import { VALUE_COLUMN } from '../model/cells.ts';
import type { DataLocation } from '../model/location.ts';
import { MAX_QUERY_LIMIT, NEW_QUERY, queryParameters } from '../query/node-query.ts';
import type { StagedList } from '../staging/store.ts';
import { useRowScroll } from '../tree/row-scroll.ts';
import { useRowWindow, useScrollAnchor } from '../tree/row-window.ts';
import type { TreeRows } from '../tree/rows.ts';
import type { TreeModel } from '../tree/tree-model.ts';
import { TableBar } from './bar.tsx';
import { useCellActions } from './cell-actions.ts';
import { placeColumns } from './columns.ts';
import { useColumnLayout } from './layout-store.ts';
import { useSeenColumns, useTableRows } from './rows.ts';
import { useCellAnchor, useCellRange, useTableClipboard } from './selection.ts';
import { TableView } from './table-view.tsx';

const STAY = (): void => {};

interface TableProps {
  readonly location: DataLocation;
  readonly model: TreeModel;
  readonly rows: TreeRows;
  readonly staged: StagedList;
  readonly editor: ValueEditor;
  readonly paste: NodeActions['paste'];
  /** The number of rows. */
  readonly count: ReactNode;
}

/** The rows of a tree as a table, with its toolbar. */
export function Table({ location, model, rows, staged, editor, paste, count }: TableProps) {
  const { t } = useTranslation('data');
  const { database, path } = location;
  const { mayChange } = useRights();
  const rowHeightPx = ROW_HEIGHT_PX[usePreferences((preferences) => preferences.density)];
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useRowScroll(scroller, rows.total, rowHeightPx);
  const shown = useRowWindow(scroller, scroll, rows.total, rowHeightPx);
  useScrollAnchor({ scroller, scroll, rows, rowHeightPx, isTail: false, leaveTail: STAY });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);
  const { drawn, rowAt } = useTableRows(database, rows, shown, staged);
  const seen = useSeenColumns(drawn);
  const [layout, change] = useColumnLayout(database, path);
  const columns = useMemo(() => placeColumns(seen.names, layout), [seen.names, layout]);
  const names = useMemo(() => columns.map(({ name }) => name), [columns]);
  const range = useCellRange();
  useCellAnchor(range, rows, names);
  const actions = useCellActions({ location, editor, paste, range, names, rowAt });
  useTableClipboard(scroller, mayChange).current = actions;
  function sort(name: string): void {
    const order = name === VALUE_COLUMN ? 'value' : 'child';
    const child = order === 'child' ? name : '';
    location.set(queryParameters({ ...NEW_QUERY, order, child, limit: MAX_QUERY_LIMIT }));
  }
  return (
    <>
      <TableBar names={seen.names} layout={layout} change={change}>
        {count}
      </TableBar>
      <TableView
        label={t('table.label', { path })}
        scroller={scroller}
        scroll={scroll}
        rows={rows}
        rowHeightPx={rowHeightPx}
        shown={shown}
        drawn={drawn}
        columns={columns}
        seen={seen}
        layout={layout}
        change={change}
        sort={sort}
        range={range}
        editor={editor}
        startEdit={actions.edit}
      />
    </>
  );
}
