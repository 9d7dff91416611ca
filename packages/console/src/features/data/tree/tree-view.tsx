import Box from '@mui/material/Box';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import type { NodePath } from '../model/node-path.ts';
import { findHit } from './find-hit.ts';
import type { TreeActs } from './tree-acts.ts';
import { TreeGrid } from './tree-grid.tsx';
import { takeTreeKey } from './tree-keys.ts';
import { TreeLine } from './tree-line.tsx';
import type { TreeModel } from './tree-model.ts';
import { findIndex, findRow, idOfRow, type NodeRow, type TreeRows } from './tree-rows.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { linesIn, type RowWindow, useRowWindow } from './use-row-window.ts';
import { useTreeMoves } from './use-tree-moves.ts';
import type { TreeSelection } from './use-tree-selection.ts';

interface TreeViewProps {
  readonly label: string;
  readonly rows: TreeRows;
  readonly model: TreeModel;
  readonly rowHeightPx: number;
  readonly selection: TreeSelection;
  readonly acts: TreeActs;
  readonly mayChange: boolean;
  /** Stays at the end while lines are added there. */
  readonly isTail: boolean;
  readonly leaveTail: () => void;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
}

/** The lines of a tree that are on the screen, and what mouse and keys do with them. */
export function TreeView(props: TreeViewProps) {
  const { label, rows, model, rowHeightPx, selection, acts, mayChange, isTail, leaveTail, editor } = props;
  const id = useId();
  const lineId = (path: NodePath): string => `${id}${encodeURIComponent(path)}`;
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useRowWindow(scroller, rows.total, rowHeightPx);
  useKeptPlace({ scroller, rows, rowHeightPx, isTail, leaveTail });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);
  const moves = useTreeMoves({ rows, model, selection, scroller, rowHeightPx });
  const { active, activeIndex, moveTo, toggle } = moves;

  function openMenuAt(row: NodeRow, element: Element | null): void {
    const box = element?.getBoundingClientRect();
    if (box !== undefined) acts.openMenu(row, { left: box.left + box.width / 3, top: box.bottom });
  }
  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    const { row, act, element } = hit;
    if (act === 'toggle') {
      toggle(row);
      return;
    }
    selection.activate(
      row.path,
      event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'move',
    );
    if (act === 'menu') openMenuAt(row, element);
    else if (act === 'edit') acts.edit(row);
    else if (act === 'add') acts.add(row);
  }
  function onDoubleClick(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    if (hit.row.node.kind === 'object') {
      if (hit.act === 'key') acts.enter(hit.row.path);
    } else if (mayChange && editor?.path !== hit.row.path) acts.edit(hit.row);
  }
  function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    event.preventDefault();
    selection.activate(hit.row.path, selection.paths.has(hit.row.path) ? 'keep' : 'move');
    acts.openMenu(hit.row, { left: event.clientX, top: event.clientY });
  }

  const edited = editor === null ? -1 : findIndex(rows, editor.path);
  const lines: ReactNode[] = [];
  for (const index of linesToDraw(shown, edited)) {
    const row = findRow(rows, index);
    if (row === undefined) continue;
    lines.push(
      <TreeLine
        key={idOfRow(row)}
        id={lineId}
        row={row}
        index={index}
        rowHeightPx={rowHeightPx}
        selection={selection}
        mayChange={mayChange}
        editor={editor}
        retry={() => model.refresh()}
      />,
    );
  }
  return (
    <TreeGrid
      ref={scroller}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.total}
      aria-colcount={2}
      aria-multiselectable
      aria-activedescendant={
        active !== undefined && activeIndex >= shown.first && activeIndex < shown.end
          ? lineId(active.path)
          : undefined
      }
      tabIndex={0}
      onKeyDown={(event) =>
        takeTreeKey(event, {
          rows,
          moves,
          selection,
          acts,
          mayChange,
          onScreen: linesIn(scroller.current, rowHeightPx),
          openMenu: (row) => openMenuAt(row, document.getElementById(lineId(row.path))),
        })
      }
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={onContextMenu}
      onFocus={(event) => {
        if (event.target === event.currentTarget && activeIndex < 0)
          moveTo(shown.first === 0 ? 0 : shown.first + 8);
      }}
    >
      <Box role="presentation" sx={{ position: 'relative' }} style={{ height: rows.total * rowHeightPx }}>
        {lines}
      </Box>
    </TreeGrid>
  );
}

/** The lines on the screen, and that of an edit wherever it is, which keeps the keyboard so. */
function linesToDraw({ first, end }: RowWindow, edited: number): readonly number[] {
  const onScreen = Array.from({ length: end - first }, (_, line) => first + line);
  if (edited < 0 || (edited >= first && edited < end)) return onScreen;
  return edited < first ? [edited, ...onScreen] : [...onScreen, edited];
}
