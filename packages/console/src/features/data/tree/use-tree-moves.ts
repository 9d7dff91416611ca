import type { RefObject } from 'react';
import type { TreeModel } from './tree-model.ts';
import { findIndex, findRow, type NodeRow, type TreeRows } from './tree-rows.ts';
import type { TreeSelection } from './use-tree-selection.ts';

interface MovesProps {
  readonly rows: TreeRows;
  readonly model: TreeModel;
  readonly selection: TreeSelection;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeightPx: number;
}

/** Going through the lines of a tree, with the active one in view. */
export interface TreeMoves {
  /** Place of the active line; -1 when there is none. */
  readonly activeIndex: number;
  readonly active: NodeRow | undefined;
  moveTo(index: number, isExtending?: boolean): void;
  /** To the line of the node around the active one. */
  moveOut(): void;
  toggle(row: NodeRow): void;
}

export function useTreeMoves({ rows, model, selection, scroller, rowHeightPx }: MovesProps): TreeMoves {
  const activeIndex = selection.active === null ? -1 : findIndex(rows, selection.active);
  const row = findRow(rows, activeIndex);
  const active = row?.kind === 'node' ? row : undefined;
  function moveTo(wanted: number, isExtending = false): void {
    const index = Math.max(0, Math.min(wanted, rows.total - 1));
    const to = findRow(rows, index);
    const element = scroller.current;
    if (to === undefined || element === null) return;
    // One that fades is passed over.
    if (to.kind === 'gone' && index !== activeIndex) {
      const beyond = index > activeIndex ? index + 1 : index - 1;
      if (beyond >= 0 && beyond < rows.total) moveTo(beyond, isExtending);
      return;
    }
    const place = index * rowHeightPx;
    if (place < element.scrollTop) element.scrollTop = place;
    else if (place + rowHeightPx > element.scrollTop + element.clientHeight)
      element.scrollTop = place + rowHeightPx - element.clientHeight;
    if (to.kind === 'node') selection.activate(to.path, isExtending ? 'extend' : 'move');
  }
  return {
    activeIndex,
    active,
    moveTo,
    moveOut: () => {
      if (active !== undefined) moveTo(findParent(rows, activeIndex, active.level));
    },
    toggle: ({ path, isOpen }) => {
      if (isOpen) model.close(path);
      else model.open(path);
    },
  };
}

function findParent(rows: TreeRows, from: number, level: number): number {
  for (let index = from - 1; index >= 0; index--) {
    const row = findRow(rows, index);
    if (row !== undefined && row.level < level) return index;
  }
  return from;
}
