import type { KeyboardEvent } from 'react';
import type { TreeActs } from './tree-acts.ts';
import type { NodeRow, TreeRows } from './tree-rows.ts';
import type { TreeMoves } from './use-tree-moves.ts';
import type { TreeSelection } from './use-tree-selection.ts';

interface KeyTarget {
  readonly rows: TreeRows;
  readonly moves: TreeMoves;
  readonly selection: TreeSelection;
  readonly acts: TreeActs;
  readonly mayChange: boolean;
  /** Lines that fit on the screen. */
  readonly onScreen: number;
  readonly openMenu: (row: NodeRow) => void;
}

/** What a key does in the tree, as in any tree of the platform. Keys of editors in it are none of the tree's. */
export function takeTreeKey(event: KeyboardEvent<HTMLElement>, target: KeyTarget): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isMove(event, target) || isAct(event, target)) event.preventDefault();
}

/** Carries out a move; false when the key is none. */
function isMove(event: KeyboardEvent<HTMLElement>, { rows, moves, onScreen }: KeyTarget): boolean {
  const { active, activeIndex, moveTo } = moves;
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  switch (event.key) {
    case 'ArrowDown':
      moveTo(activeIndex + 1, event.shiftKey);
      return true;
    case 'ArrowUp':
      moveTo(activeIndex <= 0 ? 0 : activeIndex - 1, event.shiftKey);
      return true;
    case 'PageDown':
      moveTo(activeIndex + onScreen - 1);
      return true;
    case 'PageUp':
      moveTo(activeIndex - onScreen + 1);
      return true;
    case 'Home':
      moveTo(0);
      return true;
    case 'End':
      moveTo(rows.total - 1);
      return true;
    case isRtl ? 'ArrowLeft' : 'ArrowRight':
      if (active?.node.kind !== 'object') return false;
      if (active.isOpen) moveTo(activeIndex + 1);
      else moves.toggle(active);
      return true;
    case isRtl ? 'ArrowRight' : 'ArrowLeft':
      if (active?.isOpen === true) moves.toggle(active);
      else moves.moveOut();
      return true;
    default:
      return false;
  }
}

/** Does something with the active line or the selected ones; false when the key means nothing. */
function isAct(event: KeyboardEvent<HTMLElement>, target: KeyTarget): boolean {
  const { moves, selection, acts, mayChange, openMenu } = target;
  const { active } = moves;
  if (event.key === 'Delete' || event.key === 'Backspace') {
    if (!mayChange || selection.paths.size === 0) return false;
    acts.remove([...selection.paths]);
    return true;
  }
  if (active === undefined) return false;
  switch (event.key) {
    case 'Enter':
      if (active.node.kind === 'object') moves.toggle(active);
      else if (mayChange) acts.edit(active);
      return true;
    case 'F2':
      if (!mayChange) return false;
      acts.edit(active);
      return true;
    case ' ':
      selection.activate(active.path, 'toggle');
      return true;
    case 'F10':
      if (!event.shiftKey) return false;
      openMenu(active);
      return true;
    case 'ContextMenu':
      openMenu(active);
      return true;
    default:
      return false;
  }
}
