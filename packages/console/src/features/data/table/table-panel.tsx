// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, which tables of HTML cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { LoadingBar } from '../../../elements/loading-bar.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { useApi, useRights } from '../../../session/session.ts';
import { MOTION, ROW_HEIGHT_PX } from '../../../theme.ts';
import { AwayEditor } from '../edit/away-editor.tsx';
import { ChangedMeanwhile } from '../edit/change-nodes.ts';
import { ConflictDialog } from '../edit/conflict-dialog.tsx';
import { InlineEditor } from '../edit/inline-editor.tsx';
import { readLeaf } from '../edit/leaf-text.ts';
import { useValueEdit } from '../edit/use-value-edit.ts';
import { printExact } from '../model/exact-json.ts';
import { isAtOrBelow, joinPath, lastKeyOf, parentOf } from '../model/node-path.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { findIndex, findRow } from '../tree/tree-rows.ts';
import type { NodeRow } from '../tree/tree-view.tsx';
import { useKeptPlace } from '../tree/use-kept-place.ts';
import { useNodeActs } from '../tree/use-node-acts.ts';
import { useRowWindow } from '../tree/use-row-window.ts';
import { useTree } from '../tree/use-tree.ts';
import { parsePasted, parseTsv, printTsv, type RowFields } from './cell-grid.ts';
import { MAX_PASTED_ROWS, type PastedRow, pasteCells } from './paste-cells.ts';
import { TableCell } from './table-cell.tsx';
import { COLUMN_PX, TableGrid } from './table-grid.tsx';
import { useCellAnchor } from './use-cell-anchor.ts';
import { useCellRange } from './use-cell-range.ts';
import { useColumns } from './use-columns.ts';
import { useRowFields } from './use-row-fields.ts';
import { useTableClipboard } from './use-table-clipboard.ts';

const STAY = (): void => {};

/** The children of a node as rows, and what is in them as columns. */
export function TablePanel({ place }: { readonly place: DataPlace }) {
  const { t } = useTranslation('data');
  const { database, path: root } = place;
  const api = useApi();
  const { mayChange } = useRights();
  const rowHeightPx = ROW_HEIGHT_PX[usePreferences((preferences) => preferences.density)];
  const { model, rows } = useTree(database, root, place.place);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const shown = useRowWindow(scroller, rows.total, rowHeightPx);
  useKeptPlace({ scroller, rows, rowHeightPx, isTail: false, leaveTail: STAY });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);
  const drawn: { readonly index: number; readonly row: NodeRow }[] = [];
  for (let index = shown.first; index < shown.end; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node') drawn.push({ index, row });
  }
  const readFields = useRowFields(
    database,
    drawn.map(({ row }) => row),
  );
  const columns = useColumns(drawn.map(({ row }) => readFields(row)));
  const range = useCellRange();
  useCellAnchor(range, rows, columns);
  const acts = useNodeActs(
    database,
    useCallback(() => model.refresh(), [model]),
  );
  const editor = useValueEdit(database, acts.tellSaved);
  const { edit } = editor;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && edit === null) scroller.current?.focus();
    wasEditing.current = edit !== null;
  }, [edit]);

  const clipboard = useTableClipboard(scroller, mayChange);

  const node = rows.branches.get(root)?.node;
  if (node === undefined && rows.branches.get(root)?.error === undefined) return <LoadingBar />;
  if (node == null || node.kind !== 'object')
    return <EmptyState title={t('table.none')}>{t('table.noneHint')}</EmptyState>;

  clipboard.current = { copy, paste };
  const cellId = (row: number, column: number): string => `${id}${row}-${column}`;
  function rowAt(index: number): { readonly row: NodeRow; readonly fields: RowFields } | undefined {
    const row = findRow(rows, index);
    return row?.kind === 'node' ? { row, fields: readFields(row) } : undefined;
  }
  function valueAt(index: number, column: number): unknown {
    const found = rowAt(index);
    if (found?.fields.kind === 'fields') return found.fields.fields.get(columns[column] ?? '');
    return column === 0 && found?.fields.kind === 'value' ? found.fields.value : undefined;
  }
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
    const { row, column } = range.active;
    const found = rowAt(row);
    const name = columns[column];
    if (!mayChange || found?.fields.kind !== 'fields' || name === undefined) return;
    const value = found.fields.fields.get(name);
    const path = joinPath(found.row.path, name);
    if (typeof value === 'object' && value !== null) {
      place.show(path, 'json');
      return;
    }
    editor
      .open(path)
      .catch((error: unknown) =>
        tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) }),
      );
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const { row, column } = range.active;
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, isRtl ? -1 : 1],
      ArrowLeft: [0, isRtl ? 1 : -1],
      PageDown: [shown.onScreen - 2, 0],
      PageUp: [2 - shown.onScreen, 0],
      Home: [0, -columns.length],
      End: [0, columns.length],
    };
    const move = moves[event.key];
    if (move !== undefined) go(row + move[0], column + move[1], event.shiftKey);
    else if (event.key === 'Enter' || event.key === 'F2') startEdit();
    else return;
    event.preventDefault();
  }
  function copy(clipboard: DataTransfer): void {
    const { first, last } = range;
    const cells = span(first.row, last.row).map((row) =>
      span(first.column, last.column).map((column) => valueAt(row, column)),
    );
    clipboard.setData('text/plain', printTsv(cells));
    tell({ kind: 'done', text: t('table.copied', { number: cells.length * (cells[0]?.length ?? 0) }) });
  }
  async function paste(text: string): Promise<void> {
    const { row: top, column: start } = range.first;
    const pasted: PastedRow[] = [];
    for (const [down, line] of parseTsv(text).slice(0, MAX_PASTED_ROWS).entries()) {
      const found = rowAt(top + down);
      if (found?.fields.kind !== 'fields') continue;
      const { fields } = found.fields;
      const cells = line.flatMap((cell, right) => {
        const name = columns[start + right];
        return name === undefined ? [] : [[name, parsePasted(cell, fields.get(name))] as const];
      });
      pasted.push({ path: found.row.path, cells: new Map(cells), shown: fields });
    }
    const count = pasted.reduce((sum, { cells }) => sum + cells.size, 0);
    if (count === 0) return;
    try {
      await pasteCells(api, database, pasted);
      tell({ kind: 'done', text: t('table.pasted', { count, number: count }) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      tell({ kind: 'failed', text: error instanceof ChangedMeanwhile ? t('changedMeanwhile') : reason });
    }
  }
  function onClick(event: MouseEvent): void {
    const hit = findCell(event.target);
    if (hit !== null) range.go(hit, event.shiftKey);
  }
  const { first, last, active } = range;
  const editorView = edit && (
    <InlineEditor
      editor={editor}
      edit={edit}
      label={t('edit.valueOf', { key: lastKeyOf(edit.path) })}
      otherValue={null}
      close={editor.close}
    />
  );
  const isAway =
    edit !== null && (findIndex(rows, parentOf(edit.path)) < 0 || !columns.includes(lastKeyOf(edit.path)));
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {t('table.hint')}
      </Typography>
      {isAway && <AwayEditor path={edit.path}>{editorView}</AwayEditor>}
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
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={(event) => {
          if (findCell(event.target) !== null) startEdit();
        }}
      >
        <div role="row" aria-rowindex={1} className="line head" style={{ height: rowHeightPx }}>
          <div role="columnheader" className="cell key">
            {t('table.key')}
          </div>
          {columns.map((name) => (
            <div role="columnheader" key={name} className="cell">
              <bdi dir="ltr">{showControls(name)}</bdi>
            </div>
          ))}
        </div>
        <Box
          role="presentation"
          sx={{ position: 'relative' }}
          style={{ height: rows.total * rowHeightPx, width: COLUMN_PX * (columns.length + 1) }}
        >
          {drawn.map(({ index, row }) => (
            <div
              // A change begins its flash anew, but leaves the focus of whoever types here.
              key={
                edit !== null && isAtOrBelow(edit.path, row.path)
                  ? row.path
                  : `${row.path}#${row.changedAtMs}`
              }
              role="row"
              aria-rowindex={index + 2}
              data-row={index}
              className={`line row${Date.now() - row.changedAtMs < MOTION.flashMs ? ' flash' : ''}`}
              style={{ top: index * rowHeightPx, height: rowHeightPx }}
            >
              <div role="rowheader" className="cell key">
                <bdi dir="ltr">{showControls(row.node.key)}</bdi>
              </div>
              {columns.map((name, column) => (
                <TableCell
                  key={name}
                  id={cellId(index, column)}
                  column={column}
                  value={valueAt(index, column)}
                  isActive={active.row === index && active.column === column}
                  isSelected={
                    index >= first.row && index <= last.row && column >= first.column && column <= last.column
                  }
                  editor={edit?.path === joinPath(row.path, name) ? editorView : null}
                />
              ))}
            </div>
          ))}
        </Box>
      </TableGrid>
      {edit?.phase.kind === 'stale' && (
        <ConflictDialog
          path={edit.path}
          theirs={printExact(readLeaf(edit.phase.current.text).value)}
          mine={edit.draft.text}
          keepTheirs={editor.close}
          writeMine={editor.overwrite}
          close={() => editor.change(edit.draft)}
        />
      )}
    </>
  );
}

function span(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function findCell(target: EventTarget): { readonly row: number; readonly column: number } | null {
  if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return null;
  const column = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return column === undefined || row === undefined ? null : { row: Number(row), column: Number(column) };
}
