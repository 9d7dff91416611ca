// biome-ignore-all lint/a11y/useSemanticElements: no element of HTML is a tree with columns.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which line is meant.
import Box from '@mui/material/Box';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodePath } from '../model/node-path.ts';
import { TreeGrid } from './tree-grid.tsx';
import type { TreeModel } from './tree-model.ts';
import { TreeNote } from './tree-note.tsx';
import { lineStyle, TreeRowLine } from './tree-row-line.tsx';
import { findIndex, findRow, type TreeRow, type TreeRows } from './tree-rows.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { useRowWindow } from './use-row-window.ts';
import type { TreeSelection } from './use-tree-selection.ts';

export type NodeRow = Extract<TreeRow, { kind: 'node' }>;

/** What lines of the tree ask for. */
export interface TreeActs {
  edit(row: NodeRow): void;
  add(row: NodeRow): void;
  remove(paths: readonly NodePath[]): void;
  /** Shows a node, and nothing around it. */
  enter(path: NodePath): void;
  openMenu(row: NodeRow, at: { readonly left: number; readonly top: number }): void;
}

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
  const { t } = useTranslation('data');
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useRowWindow(scroller, rows.total, rowHeightPx);
  useKeptPlace({ scroller, rows, rowHeightPx, isTail, leaveTail });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);

  const activeIndex = selection.active === null ? -1 : findIndex(rows, selection.active);
  function moveTo(index: number, extend = false): void {
    const row = findRow(rows, Math.max(0, Math.min(index, rows.total - 1)));
    const element = scroller.current;
    if (row === undefined || element === null) return;
    const place = Math.max(0, Math.min(index, rows.total - 1)) * rowHeightPx;
    if (place < element.scrollTop) element.scrollTop = place;
    else if (place + rowHeightPx > element.scrollTop + element.clientHeight)
      element.scrollTop = place + rowHeightPx - element.clientHeight;
    if (row.kind === 'node') selection.activate(row.path, extend ? 'extend' : 'move');
  }
  function toggle(row: NodeRow): void {
    if (row.isOpen) model.close(row.path);
    else model.open(row.path);
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = findRow(rows, activeIndex);
    const active = row?.kind === 'node' ? row : undefined;
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const inward = isRtl ? 'ArrowLeft' : 'ArrowRight';
    const outward = isRtl ? 'ArrowRight' : 'ArrowLeft';
    switch (event.key) {
      case 'ArrowDown':
        moveTo(activeIndex + 1, event.shiftKey);
        break;
      case 'ArrowUp':
        moveTo(activeIndex <= 0 ? 0 : activeIndex - 1, event.shiftKey);
        break;
      case 'PageDown':
        moveTo(activeIndex + shown.onScreen - 1);
        break;
      case 'PageUp':
        moveTo(activeIndex - shown.onScreen + 1);
        break;
      case 'Home':
        moveTo(0);
        break;
      case 'End':
        moveTo(rows.total - 1);
        break;
      case inward:
        if (active?.node.kind !== 'object') return;
        if (active.isOpen) moveTo(activeIndex + 1);
        else model.open(active.path);
        break;
      case outward:
        if (active?.isOpen === true) model.close(active.path);
        else if (active !== undefined) moveTo(findParent(rows, activeIndex, active.level));
        break;
      case 'Enter':
        if (active === undefined) return;
        if (active.node.kind === 'object') toggle(active);
        else if (mayChange) acts.edit(active);
        break;
      case 'F2':
        if (active === undefined || !mayChange) return;
        acts.edit(active);
        break;
      case ' ':
        if (active === undefined) return;
        selection.activate(active.path, 'toggle');
        break;
      case 'Delete':
      case 'Backspace':
        if (!mayChange || selection.paths.size === 0) return;
        acts.remove([...selection.paths]);
        break;
      case 'ContextMenu':
      case 'F10': {
        if (active === undefined || (event.key === 'F10' && !event.shiftKey)) return;
        openMenuAt(active, document.getElementById(lineId(id, active.path)));
        break;
      }
      default:
        return;
    }
    event.preventDefault();
  }
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

  const lines: ReactNode[] = [];
  for (let index = shown.first; index < shown.end; index++) {
    const row = findRow(rows, index);
    if (row === undefined) continue;
    if (row.kind === 'node')
      lines.push(
        <TreeRowLine
          key={row.path}
          id={lineId(id, row.path)}
          row={row}
          index={index}
          rowHeightPx={rowHeightPx}
          isActive={selection.active === row.path}
          isSelected={selection.paths.has(row.path)}
          mayChange={mayChange}
          editor={editor?.path === row.path ? editor.view : undefined}
        />,
      );
    else if (row.kind === 'unread')
      lines.push(
        <div
          key={row.id}
          role="row"
          aria-rowindex={index + 1}
          aria-level={row.level}
          aria-busy
          className="row"
          style={lineStyle(index, rowHeightPx, row.level)}
        >
          <span role="gridcell" className="toggle" aria-label={t('tree.reading')} />
          <span className="unread" />
        </div>,
      );
    else
      lines.push(
        <TreeNote
          key={row.id}
          row={row}
          index={index}
          rowHeightPx={rowHeightPx}
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
        activeIndex >= shown.first && activeIndex < shown.end && selection.active !== null
          ? lineId(id, selection.active)
          : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
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

function lineId(grid: string, path: NodePath): string {
  return `${grid}${encodeURIComponent(path)}`;
}

function findParent(rows: TreeRows, from: number, level: number): number {
  for (let index = from - 1; index >= 0; index--) {
    const row = findRow(rows, index);
    if (row !== undefined && row.level < level) return index;
  }
  return from;
}

interface Hit {
  readonly row: NodeRow;
  readonly act: string | undefined;
  readonly element: Element;
}

/** The line under the mouse, and what of it. What is in an editor is none of the tree's. */
function findHit(rows: TreeRows, { target }: MouseEvent): Hit | undefined {
  if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return undefined;
  const line = target.closest<HTMLElement>('[data-path]');
  const path = line?.dataset['path'];
  if (path === undefined) return undefined;
  const row = findRow(rows, findIndex(rows, path));
  if (row?.kind !== 'node') return undefined;
  const element = target.closest<HTMLElement>('[data-act]');
  return { row, act: element?.dataset['act'], element: element ?? target };
}
