// biome-ignore-all lint/a11y/useSemanticElements: HTML tables cannot have virtual rows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { useFocusAfter } from '../../../ui/interaction.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { EmptyState, Failure, LoadingBar } from '../../../ui/states.tsx';
import { ROW_HEIGHT_PX } from '../../../ui/theme.ts';
import { usePreferences } from '../../../ui/use-preferences.ts';
import { EditConflict } from '../edit/conflict-dialog.tsx';
import { DetachedEditor, InlineEditor, useValueEdit } from '../edit/value-editor.tsx';
import { DeniedPageNotice } from '../impersonation/denied.tsx';
import { CELLS_TYPE, isCellOf, pathInColumn, printCells, printTsv, valueInColumn } from '../model/cells.ts';
import type { DataLocation } from '../model/location.ts';
import { isAtOrBelow, lastKeyOf } from '../model/node-path.ts';
import { useNodeActions } from '../staging/use-node-actions.ts';
import { useStage } from '../staging/use-staging.ts';
import { linesIn, useRowWindow, useScrollAnchor } from '../tree/row-window.ts';
import { idOfRow } from '../tree/rows.ts';
import { useTree } from '../tree/use-tree.ts';
import { COLUMN_PX, TableGrid, TableHead, TableLine } from './grid.tsx';
import { type DrawnRow, useColumns, useTableRows } from './rows.ts';
import {
  collectCells,
  collectPasted,
  takeTableKey,
  useCellAnchor,
  useCellRange,
  useTableClipboard,
} from './selection.ts';

const STAY = (): void => {};

/** Shows the children of a node as rows of a table whose columns are their members. */
export function TablePanel({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { database, path: root } = location;
  const { mayChange } = useRights();
  const rowHeightPx = ROW_HEIGHT_PX[usePreferences((preferences) => preferences.density)];
  const { list: staged } = useStage(database);
  const { model, rows } = useTree(location, staged);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const { node, error } = rows.branches.get(root) ?? {};
  const isMounted = node?.kind === 'object';
  const shown = useRowWindow(scroller, rows.total, rowHeightPx, isMounted);
  useScrollAnchor({ scroller, isMounted, rows, rowHeightPx, isTail: false, leaveTail: STAY });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);
  const { drawn, rowAt } = useTableRows(database, rows, shown, staged);
  const columns = useColumns(drawn.flatMap(({ live, fields }) => [live, fields]));
  const range = useCellRange();
  useCellAnchor(range, rows, columns);
  const actions = useNodeActions(
    database,
    useCallback(() => model.refresh(), [model]),
  );
  const editor = useValueEdit(actions);
  const { edit } = editor;
  useFocusAfter(
    edit === null,
    useCallback(() => scroller.current?.focus(), []),
  );
  const clipboard = useTableClipboard(scroller, mayChange);

  if (node === undefined)
    return error === undefined ? <LoadingBar /> : <Failure error={error} retry={() => model.refresh()} />;
  if (node === null || node.kind !== 'object')
    return <EmptyState title={t('table.none')}>{t('table.noneHint')}</EmptyState>;

  clipboard.current = { copy, paste };
  const cellId = (row: number, column: number): string => `${id}${row}-${column}`;
  function go(row: number, column: number, isExtending: boolean): void {
    const to = {
      row: Math.max(0, Math.min(row, rows.total - 1)),
      column: Math.max(0, Math.min(column, columns.length - 1)),
    };
    range.go(to, isExtending);
    const element = scroller.current;
    if (element === null) return;
    const top = to.row * rowHeightPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * rowHeightPx > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * rowHeightPx - element.clientHeight;
    document
      .getElementById(cellId(to.row, to.column))
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  function startEdit(): void {
    const found = rowAt(range.active.row);
    const name = columns[range.active.column];
    if (!mayChange || found?.row.kind !== 'node' || !isCellOf(found.fields, name)) return;
    const value = valueInColumn(found.fields, name);
    const path = pathInColumn(found.row.path, name);
    if (typeof value === 'object' && value !== null) location.show(path, 'json');
    else editor.open(path).catch(reportFailure);
  }
  function copy(to: DataTransfer): void {
    const cells = collectCells(range, columns, rowAt);
    to.setData('text/plain', printTsv(cells));
    to.setData(CELLS_TYPE, printCells(cells));
    notify({ kind: 'done', text: t('table.copied', { number: cells.length * (cells[0]?.length ?? 0) }) });
  }
  async function paste(text: string, copied: string): Promise<void> {
    const pasted = collectPasted(text, copied, range.first, columns, rowAt);
    if (pasted.length > 0) await actions.paste(pasted).catch(reportFailure);
  }
  const editorView = edit && {
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
  };
  const isEdited = ({ row }: DrawnRow): boolean =>
    edit !== null && row.kind === 'node' && isAtOrBelow(edit.path, row.path);
  const hasCell = ({ row }: DrawnRow): boolean =>
    row.kind === 'node' && columns.some((name) => pathInColumn(row.path, name) === edit?.path);
  const { active } = range;
  return (
    <>
      <DeniedPageNotice node={node} path={root} />
      {/* The hint describes keyboard shortcuts. Phones have no keyboard. */}
      <Typography variant="body2" color="textSecondary" sx={{ '@media (hover: none)': { display: 'none' } }}>
        {t('table.hint')}
      </Typography>
      {editorView !== null && !drawn.some(hasCell) && (
        <DetachedEditor path={editorView.path}>{editorView.view}</DetachedEditor>
      )}
      <TableGrid
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={t('table.label', { path: root })}
        aria-rowcount={rows.total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={
          drawn.some(({ index }) => index === active.row) ? cellId(active.row, active.column) : undefined
        }
        onKeyDown={(event) =>
          takeTableKey(event, {
            active,
            columnCount: columns.length,
            onScreen: linesIn(scroller.current, rowHeightPx),
            go,
            edit: startEdit,
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
        <TableHead columns={columns} heightPx={rowHeightPx} />
        <Box
          role="presentation"
          sx={{ position: 'relative' }}
          style={{
            height: rows.total * rowHeightPx,
            width: COLUMN_PX * (columns.length + 1),
            minWidth: '100%',
          }}
        >
          {drawn.map((one) => (
            <TableLine
              // A new key restarts the flash after each change. While the row is edited, the key stays, so that its field keeps
              // the focus.
              key={isEdited(one) ? idOfRow(one.row) : flashKey(one)}
              drawn={one}
              columns={columns}
              range={range}
              rowHeightPx={rowHeightPx}
              cellId={cellId}
              editor={editorView}
            />
          ))}
        </Box>
      </TableGrid>
      <EditConflict editor={editor} close={editor.close} />
    </>
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
