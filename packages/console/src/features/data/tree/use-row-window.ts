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
  /** Lines that fit on the screen. */
  readonly onScreen: number;
}

/** Follows what a scrolled element shows of `total` lines. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
  rowHeightPx: number,
): RowWindow {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef({ first: 0, onScreen: 0 });
  const element = scroller.current;
  const first = Math.floor((element?.scrollTop ?? 0) / rowHeightPx);
  const onScreen = Math.ceil((element?.clientHeight ?? innerHeight - AROUND_PX) / rowHeightPx);
  drawn.current = { first, onScreen };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const first = Math.floor(element.scrollTop / rowHeightPx);
      const onScreen = Math.ceil(element.clientHeight / rowHeightPx);
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
  }, [scroller, rowHeightPx]);
  return {
    first: Math.max(0, Math.min(first, total) - OVERSCAN),
    end: Math.min(total, first + onScreen + OVERSCAN),
    onScreen,
  };
}
