import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { findIndex, findRow, type TreeRows } from './rows.ts';

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

interface ScrollAnchor {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Is the scroller drawn? */
  readonly isThere?: boolean;
  readonly rows: TreeRows;
  readonly rowHeightPx: number;
  readonly isTail: boolean;
  readonly leaveTail: () => void;
}

/** The line at the upper edge of the screen, and where it was among the lines. */
interface Anchor {
  readonly path: string;
  readonly index: number;
}

/** Keeps what is on the screen where it is while lines come and go above it; at the tail, keeps the end in view. */
export function useScrollAnchor({
  scroller,
  isThere = true,
  rows,
  rowHeightPx,
  isTail,
  leaveTail,
}: ScrollAnchor): void {
  const anchor = useRef<Anchor | undefined>(undefined);
  const present = useRef(rows);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const look = (): void => {
      anchor.current = readAnchor(present.current, element.scrollTop, rowHeightPx);
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller, rowHeightPx, isThere]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isTail) return;
    const leave = ({ deltaY }: WheelEvent): void => {
      if (deltaY < 0) leaveTail();
    };
    element.addEventListener('wheel', leave, { passive: true });
    return () => element.removeEventListener('wheel', leave);
  }, [scroller, isTail, leaveTail]);
  useLayoutEffect(() => {
    present.current = rows;
    const element = scroller.current;
    if (element === null) return;
    if (isTail) {
      element.scrollTop = element.scrollHeight;
      // Lines that only change places move nothing, of which no event would tell.
      anchor.current = readAnchor(rows, element.scrollTop, rowHeightPx);
      return;
    }
    anchor.current ??= findFirstShown(rows, element.scrollTop);
    if (anchor.current === undefined) return;
    const { path, index: before } = anchor.current;
    const index = findIndex(rows, path);
    if (index < 0 || index === before) return;
    anchor.current = { path, index };
    // Relative, because the screen may have moved on since it was last told where it is.
    element.scrollTop += (index - before) * rowHeightPx;
  }, [scroller, rows, rowHeightPx, isTail]);
}

/** Whoever is at the very top sees what comes there, unless that is still to be read. */
function readAnchor(rows: TreeRows, scrollTop: number, rowHeightPx: number): Anchor | undefined {
  const index = Math.floor(scrollTop / rowHeightPx);
  const row = findRow(rows, index);
  if (row?.kind === 'node') return scrollTop < 1 ? undefined : { path: row.path, index };
  const next = findRow(rows, index + 1);
  return next?.kind === 'node' ? { path: next.path, index: index + 1 } : undefined;
}

/** Children that are shown from one of them on begin with that one, though there is something before it. */
function findFirstShown(rows: TreeRows, scrollTop: number): Anchor | undefined {
  const second = findRow(rows, 1);
  const isBeforeUnread = scrollTop < 1 && findRow(rows, 0)?.kind === 'unread' && second?.kind === 'node';
  return isBeforeUnread ? { path: second.path, index: 0 } : undefined;
}
