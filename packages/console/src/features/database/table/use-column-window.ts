import { type RefObject, useCallback, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
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
    // From right to left, browsers count from 0 down.
    return windowOf(columns, Math.abs(element?.scrollLeft ?? 0), element?.clientWidth ?? FIRST_PX);
  }, [scroller, columns]);
  const { first, end, pinnedCount, gapPx } = read();
  const drawn = useRef({ first, end });
  drawn.current = { first, end };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isMounted) return;
    const update = (): void => {
      const next = read();
      if (next.first !== drawn.current.first || next.end !== drawn.current.end) draw();
    };
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    update();
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, read, isMounted]);
  return useMemo(() => ({ first, end, pinnedCount, gapPx }), [first, end, pinnedCount, gapPx]);
}

/** Scrolls sideways until a column is on the screen, beside the pinned ones. */
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
