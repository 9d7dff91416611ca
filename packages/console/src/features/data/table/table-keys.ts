import type { KeyboardEvent } from 'react';
import type { CellPlace } from './use-cell-range.ts';

interface KeyTarget {
  readonly active: CellPlace;
  readonly columnCount: number;
  /** Lines that fit on the screen. */
  readonly onScreen: number;
  readonly go: (row: number, column: number, isExtending: boolean) => void;
  readonly edit: () => void;
}

/** What a key does in the table. Keys of editors in it are none of the table's. */
export function takeTableKey(event: KeyboardEvent<HTMLElement>, target: KeyTarget): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const { active, columnCount, onScreen, go, edit } = target;
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, isRtl ? -1 : 1],
    ArrowLeft: [0, isRtl ? 1 : -1],
    PageDown: [onScreen - 2, 0],
    PageUp: [2 - onScreen, 0],
    Home: [0, -columnCount],
    End: [0, columnCount],
  };
  const move = moves[event.key];
  if (move !== undefined) go(active.row + move[0], active.column + move[1], event.shiftKey);
  else if (event.key === 'Enter' || event.key === 'F2') edit();
  else return;
  event.preventDefault();
}
