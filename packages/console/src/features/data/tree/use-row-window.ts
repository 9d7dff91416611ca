import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react';

/** Lines drawn beyond each edge of the screen, so that none is missing while it moves. */
const OVERSCAN = 8;

/** What stands above and below the lines on most screens: the first lines are drawn before it can be measured. */
const AROUND_PX = 240;

/** Which of many lines of one height are to be drawn. */
export interface RowWindow {
  /** First and, excluded, last. */
  readonly first: number;
  readonly end: number;
}

/** Lines that fit into an element; of one that is not there yet, about as many as will. */
export function linesIn(element: HTMLElement | null, rowHeightPx: number): number {
  const heightPx = element?.clientHeight ?? Math.max(0, innerHeight - AROUND_PX);
  return Math.ceil(heightPx / rowHeightPx);
}

/** Follows what a scrolled element shows of `total` lines, whenever it `isThere`. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
  rowHeightPx: number,
  isThere = true,
): RowWindow {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef({ first: 0, onScreen: 0 });
  const element = scroller.current;
  const first = Math.floor((element?.scrollTop ?? 0) / rowHeightPx);
  const onScreen = linesIn(element, rowHeightPx);
  drawn.current = { first, onScreen };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const look = (): void => {
      const first = Math.floor(element.scrollTop / rowHeightPx);
      const onScreen = linesIn(element, rowHeightPx);
      // Lines that are drawn beyond the screen do no harm.
      if (first !== drawn.current.first || onScreen > drawn.current.onScreen) draw();
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, rowHeightPx, isThere]);
  return {
    first: Math.max(0, Math.min(first, total) - OVERSCAN),
    end: Math.min(total, first + onScreen + OVERSCAN),
  };
}
