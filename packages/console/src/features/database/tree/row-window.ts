import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { useScrollChanges } from '../../../ui/use-scroll-changes.ts';
import { findIndex, findRow, type TreeRows } from './rows.ts';

/** Number of rows drawn beyond each edge of the screen, so that none is missing while the user scrolls. */
const OVERSCAN = 8;

/** Estimated height above and below the rows, for the first draw, before the element can be measured. */
const AROUND_PX = 240;

/** The range of rows to draw. */
export interface RowWindow {
  /** The first row, and the row after the last. */
  readonly first: number;
  readonly end: number;
}

/** Returns the number of rows that fit into an element; an estimate if it is not mounted yet. */
export function linesIn(element: HTMLElement | null, rowHeightPx: number): number {
  const heightPx = element?.clientHeight ?? Math.max(0, innerHeight - AROUND_PX);
  return Math.ceil(heightPx / rowHeightPx);
}

/**
 * Returns the range of `total` rows to draw in a scrolling element. While `isMounted`, updates
 * the range when the element scrolls or grows.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
  rowHeightPx: number,
  isMounted = true,
): RowWindow {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef({ first: 0, onScreen: 0 });
  const element = scroller.current;
  const first = Math.floor((element?.scrollTop ?? 0) / rowHeightPx);
  const onScreen = linesIn(element, rowHeightPx);
  drawn.current = { first, onScreen };
  const update = useCallback(
    (element: HTMLElement): void => {
      const first = Math.floor(element.scrollTop / rowHeightPx);
      const onScreen = linesIn(element, rowHeightPx);
      // If fewer rows fit than before, the extra ones are drawn beyond the screen, so no redraw is needed.
      if (first !== drawn.current.first || onScreen > drawn.current.onScreen) draw();
    },
    [rowHeightPx],
  );
  useScrollChanges(scroller, isMounted, update);
  return {
    first: Math.max(0, Math.min(first, total) - OVERSCAN),
    end: Math.min(total, first + onScreen + OVERSCAN),
  };
}

interface ScrollAnchor {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Whether the scroller is mounted. */
  readonly isMounted?: boolean;
  readonly rows: TreeRows;
  readonly rowHeightPx: number;
  readonly isTail: boolean;
  readonly leaveTail: () => void;
}

/** The row at the upper edge of the screen, and its index. */
interface Anchor {
  readonly path: string;
  readonly index: number;
}

/**
 * Keeps the visible rows in position while rows are added or removed above them. With `isTail`, keeps the end visible, and calls
 * `leaveTail` when the user scrolls up.
 */
export function useScrollAnchor({
  scroller,
  isMounted = true,
  rows,
  rowHeightPx,
  isTail,
  leaveTail,
}: ScrollAnchor): void {
  const anchor = useRef<Anchor | undefined>(undefined);
  const latestRows = useRef(rows);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isMounted) return;
    const update = (): void => {
      anchor.current = readAnchor(latestRows.current, element.scrollTop, rowHeightPx);
    };
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, [scroller, rowHeightPx, isMounted]);
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
    latestRows.current = rows;
    const element = scroller.current;
    if (element === null) return;
    if (isTail) {
      element.scrollTop = element.scrollHeight;
      // If the total height stays the same, the element does not scroll, so no event updates the anchor.
      anchor.current = readAnchor(rows, element.scrollTop, rowHeightPx);
      return;
    }
    anchor.current ??= findFirstShown(rows, element.scrollTop);
    if (anchor.current === undefined) return;
    const { path, index: before } = anchor.current;
    const index = findIndex(rows, path);
    if (index < 0 || index === before) return;
    anchor.current = { path, index };
    // Relative, because the element may have scrolled since the anchor was read.
    element.scrollTop += (index - before) * rowHeightPx;
  }, [scroller, rows, rowHeightPx, isTail]);
}

/**
 * Returns the row at the upper edge, or the row below it if the row at the edge is unread or fades out. Returns no anchor at the
 * very top, so that new first rows are visible, unless the first row is unread.
 */
function readAnchor(rows: TreeRows, scrollTop: number, rowHeightPx: number): Anchor | undefined {
  const index = Math.floor(scrollTop / rowHeightPx);
  const row = findRow(rows, index);
  if (row?.kind === 'node') return scrollTop < 1 ? undefined : { path: row.path, index };
  const next = findRow(rows, index + 1);
  return next?.kind === 'node' ? { path: next.path, index: index + 1 } : undefined;
}

/**
 * Returns an anchor on the second row if the first is an unread page, so that a view that starts at a key shows that key first.
 */
function findFirstShown(rows: TreeRows, scrollTop: number): Anchor | undefined {
  const second = findRow(rows, 1);
  const isBeforeUnread = scrollTop < 1 && findRow(rows, 0)?.kind === 'unread' && second?.kind === 'node';
  return isBeforeUnread ? { path: second.path, index: 0 } : undefined;
}
