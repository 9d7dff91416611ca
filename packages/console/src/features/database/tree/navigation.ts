import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NodePath } from '../model/node-path.ts';
import type { RowScroll } from './row-scroll.ts';
import { linesIn } from './row-window.ts';
import { findIndex, findRow, type NodeRow, type TreeRows } from './rows.ts';
import type { TreeModel } from './tree-model.ts';

/** Actions that the user can start from a row. */
export interface TreeActions {
  edit(row: NodeRow): void;
  add(row: NodeRow): void;
  remove(paths: readonly NodePath[]): void;
  /** Navigates to a node. */
  enter(path: NodePath): void;
  openMenu(row: NodeRow, at: { readonly left: number; readonly top: number }): void;
}

/** Maximum number of selected rows. */
const MAX_SELECTED = 1_000;

/** The active row, which keys act on, and the selected rows, which actions apply to. */
export interface TreeSelection {
  readonly active: NodePath | null;
  readonly paths: ReadonlySet<NodePath>;
  /**
   * Makes a row active. `move` selects only this row, `toggle` adds or removes it, `extend` selects the range up to it,
   * `keep` keeps the selection.
   */
  activate(path: NodePath, how: 'move' | 'toggle' | 'extend' | 'keep'): void;
  clear(): void;
}

interface State {
  readonly active: NodePath | null;
  readonly paths: ReadonlySet<NodePath>;
  readonly from: NodePath | null;
}

const NONE: State = { active: null, paths: new Set(), from: null };

export function useTreeSelection(rows: TreeRows, initial: NodePath | null): TreeSelection {
  const [state, setState] = useState<State>(() =>
    initial === null ? NONE : { active: initial, paths: new Set([initial]), from: initial },
  );
  const activate = useCallback<TreeSelection['activate']>(
    (path, how) =>
      setState((before) => {
        if (how === 'keep') return { ...before, active: path };
        if (how === 'move') return { active: path, paths: new Set([path]), from: path };
        if (how === 'extend' && before.from !== null)
          return { active: path, paths: pathsBetween(rows, before.from, path), from: before.from };
        const paths = new Set(before.paths);
        if (!paths.delete(path) && paths.size < MAX_SELECTED) paths.add(path);
        return { active: path, paths, from: path };
      }),
    [rows],
  );
  const clear = useCallback(() => setState(NONE), []);
  return useMemo(
    () => ({ active: state.active, paths: state.paths, activate, clear }),
    [state, activate, clear],
  );
}

function pathsBetween(rows: TreeRows, a: NodePath, b: NodePath): ReadonlySet<NodePath> {
  const ends = [findIndex(rows, a), findIndex(rows, b)];
  const paths = new Set([b]);
  const first = Math.min(...ends);
  if (first < 0) return paths;
  for (let index = first; index <= Math.max(...ends) && paths.size < MAX_SELECTED; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node') paths.add(row.path);
  }
  return paths;
}

interface MovesProps {
  readonly rows: TreeRows;
  readonly model: TreeModel;
  readonly selection: TreeSelection;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scroll: RowScroll;
  readonly rowHeightPx: number;
}

/** The row to activate when it is loaded. */
interface PendingRow {
  readonly index: number;
  readonly isExtending: boolean;
  /** Whether it is the last row, whatever its index is then. */
  readonly isLast: boolean;
}

/** Moves the active row, and keeps it visible. */
export interface TreeMoves {
  /** Index of the active row; -1 if there is none. */
  readonly activeIndex: number;
  readonly active: NodeRow | undefined;
  /**
   * Returns the index from which keys move: of the active row, of one that is not loaded yet, or of the one above the
   * screen.
   */
  currentIndex(): number;
  moveTo(index: number, isExtending?: boolean): void;
  /** Moves to the parent of the active row. */
  moveOut(): void;
  toggle(row: NodeRow): void;
}

export function useTreeMoves(props: MovesProps): TreeMoves {
  const { rows, model, selection, scroller, scroll, rowHeightPx } = props;
  const pending = useRef<PendingRow | null>(null);
  const activeIndex = selection.active === null ? -1 : findIndex(rows, selection.active);
  const row = findRow(rows, activeIndex);
  const active = row?.kind === 'node' ? row : undefined;
  function moveTo(wanted: number, isExtending = false): void {
    const index = Math.max(0, Math.min(wanted, rows.total - 1));
    const to = findRow(rows, index);
    const element = scroller.current;
    pending.current = null;
    if (to === undefined || element === null) return;
    // Skips rows that are fading out.
    if (to.kind === 'gone' && index !== activeIndex) {
      const beyond = index > activeIndex ? index + 1 : index - 1;
      if (beyond >= 0 && beyond < rows.total) moveTo(beyond, isExtending);
      return;
    }
    const topPx = index * rowHeightPx;
    const shownPx = scroll.readTopPx();
    if (topPx < shownPx) scroll.scrollTo(topPx);
    else if (topPx + rowHeightPx > shownPx + element.clientHeight)
      scroll.scrollTo(topPx + rowHeightPx - element.clientHeight);
    if (to.kind === 'node') selection.activate(to.path, isExtending ? 'extend' : 'move');
    else if (to.kind === 'unread') pending.current = { index, isExtending, isLast: index === rows.total - 1 };
  }
  useEffect(() => {
    const element = scroller.current;
    if (pending.current === null || element === null) return;
    const { isExtending, isLast } = pending.current;
    const index = isLast ? rows.total - 1 : pending.current.index;
    const first = Math.floor(scroll.readTopPx() / rowHeightPx) - 1;
    const isShown = index >= first && index <= first + linesIn(element, rowHeightPx) + 2;
    if (!isShown && !isLast) pending.current = null;
    else if (findRow(rows, index)?.kind !== 'unread' || index !== pending.current.index)
      moveTo(index, isExtending);
  });
  return {
    activeIndex,
    active,
    currentIndex: () => {
      if (pending.current !== null) return pending.current.index;
      return activeIndex >= 0 ? activeIndex : Math.ceil(scroll.readTopPx() / rowHeightPx) - 1;
    },
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

interface KeyTarget {
  readonly rows: TreeRows;
  readonly moves: TreeMoves;
  readonly selection: TreeSelection;
  readonly actions: TreeActions;
  readonly mayChange: boolean;
  /** Number of rows that fit on the screen. */
  readonly onScreen: number;
  readonly openMenu: (row: NodeRow) => void;
}

/** Handles the usual keys of a tree view. Ignores keys of editors in the tree. */
export function takeTreeKey(event: KeyboardEvent<HTMLElement>, target: KeyTarget): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  if (takeMoveKey(event, target) || takeActionKey(event, target)) event.preventDefault();
}

/** Moves the active row if the key is a move. Returns whether it is one. */
function takeMoveKey(event: KeyboardEvent<HTMLElement>, { rows, moves, onScreen }: KeyTarget): boolean {
  const { active, moveTo } = moves;
  const current = moves.currentIndex();
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  switch (event.key) {
    case 'ArrowDown':
      moveTo(current + 1, event.shiftKey);
      return true;
    case 'ArrowUp':
      moveTo(current <= 0 ? 0 : current - 1, event.shiftKey);
      return true;
    case 'PageDown':
      moveTo(current + onScreen - 1, event.shiftKey);
      return true;
    case 'PageUp':
      moveTo(current - onScreen + 1, event.shiftKey);
      return true;
    case 'Home':
      moveTo(0, event.shiftKey);
      return true;
    case 'End':
      moveTo(rows.total - 1, event.shiftKey);
      return true;
    case isRtl ? 'ArrowLeft' : 'ArrowRight':
      if (active?.node.kind !== 'object') return false;
      if (active.isOpen) moveTo(current + 1);
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

/** Runs the action of the key on the active or selected rows. Returns whether the key has an action. */
function takeActionKey(event: KeyboardEvent<HTMLElement>, target: KeyTarget): boolean {
  const { moves, selection, actions, mayChange, openMenu } = target;
  const { active } = moves;
  if (event.key === 'Delete' || event.key === 'Backspace') {
    if (!mayChange || selection.paths.size === 0) return false;
    actions.remove([...selection.paths]);
    return true;
  }
  if (active === undefined) return false;
  switch (event.key) {
    case 'Enter':
      if (active.node.kind === 'object') moves.toggle(active);
      else if (mayChange) actions.edit(active);
      return true;
    case 'F2':
      if (!mayChange) return false;
      actions.edit(active);
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
