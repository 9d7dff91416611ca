import { type RefObject, useCallback, useMemo, useReducer, useRef } from 'react';
import { useScrollChanges } from '../../../ui/use-scroll-changes.ts';
import { type ColumnWindow, type PlacedColumn, windowOf } from './columns.ts';

/** Estimated width in pixels for the first draw, before the element can be measured. */
const FIRST_PX = 1_200;

/** Returns the columns to draw in a scrolling element, and updates them when the element scrolls sideways or changes its width. */
export function useColumnWindow(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly PlacedColumn[],
  isMounted: boolean,
): ColumnWindow {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const read = useCallback((): ColumnWindow => {
    const element = scroller.current;
    // In a page from right to left, `scrollLeft` is negative.
    return windowOf(columns, Math.abs(element?.scrollLeft ?? 0), element?.clientWidth ?? FIRST_PX);
  }, [scroller, columns]);
  const { first, end, pinnedCount, gapPx } = read();
  const drawn = useRef({ first, end });
  drawn.current = { first, end };
  const update = useCallback((): void => {
    const next = read();
    if (next.first !== drawn.current.first || next.end !== drawn.current.end) draw();
  }, [read]);
  useScrollChanges(scroller, isMounted, update);
  return useMemo(() => ({ first, end, pinnedCount, gapPx }), [first, end, pinnedCount, gapPx]);
}

/** Scrolls sideways until a column is on the screen, next to the pinned ones. */
export function scrollToColumn(
  element: HTMLElement,
  column: PlacedColumn | undefined,
  pinnedPx: number,
): void {
  if (column === undefined || column.isPinned) return;
  const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1;
  const fromPx = Math.abs(element.scrollLeft);
  const endPx = column.startPx + column.widthPx;
  if (column.startPx < fromPx + pinnedPx) element.scrollLeft = sign * (column.startPx - pinnedPx);
  else if (endPx > fromPx + element.clientWidth) element.scrollLeft = sign * (endPx - element.clientWidth);
}
