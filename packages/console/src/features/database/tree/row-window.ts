import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { useScrollChanges } from '../../../ui/use-scroll-changes.ts';
import type { RowScroll } from './row-scroll.ts';
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

/** Returns the range of `total` rows to draw in a scrolling element. Updates the range when the element scrolls or grows. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  scroll: RowScroll,
  total: number,
  rowHeightPx: number,
): RowWindow {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef({ first: 0, onScreen: 0 });
  const first = Math.floor(scroll.readTopPx() / rowHeightPx);
  const onScreen = linesIn(scroller.current, rowHeightPx);
  drawn.current = { first, onScreen };
  const update = useCallback(
    (element: HTMLElement): void => {
      const first = Math.floor(scroll.readTopPx() / rowHeightPx);
      const isMoved = scroll.settle();
      const onScreen = linesIn(element, rowHeightPx);
      // If fewer rows fit than before, the extra ones are drawn beyond the screen, so no redraw is needed.
      if (isMoved || first !== drawn.current.first || onScreen > drawn.current.onScreen) draw();
    },
    [scroll, rowHeightPx],
  );
  useScrollChanges(scroller, true, update);
  return {
    first: Math.max(0, Math.min(first, total) - OVERSCAN),
    end: Math.min(total, first + onScreen + OVERSCAN),
  };
}

interface ScrollAnchor {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scroll: RowScroll;
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
  scroll,
  rows,
  rowHeightPx,
  isTail,
  leaveTail,
}: ScrollAnchor): void {
  const anchor = useRef<Anchor | undefined>(undefined);
  const latestRows = useRef(rows);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const update = (): void => {
      anchor.current = readAnchor(
        latestRows.current,
        scroll.readTopPx(),
        linesIn(element, rowHeightPx),
        rowHeightPx,
      );
    };
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, [scroller, scroll, rowHeightPx]);
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
      scroll.scrollTo(Number.POSITIVE_INFINITY);
      // If the total height stays the same, the element does not scroll, so no event updates the anchor.
      anchor.current = readAnchor(rows, scroll.readTopPx(), linesIn(element, rowHeightPx), rowHeightPx);
      return;
    }
    anchor.current ??= findFirstShown(rows, scroll.readTopPx());
    if (anchor.current === undefined) return;
    const { path, index: before } = anchor.current;
    const index = findIndex(rows, path);
    if (index < 0 || index === before) return;
    anchor.current = { path, index };
    // Relative, because the element may have scrolled since the anchor was read.
    scroll.scrollTo(scroll.readTopPx() + (index - before) * rowHeightPx);
  }, [scroller, scroll, rows, rowHeightPx, isTail]);
}

/**
 * Returns the row at the upper edge, or the first row on the screen that is neither unread nor fading out. Returns no anchor at
 * the very top, so that new first rows are visible, unless the first row is unread.
 */
function readAnchor(
  rows: TreeRows,
  topPx: number,
  onScreen: number,
  rowHeightPx: number,
): Anchor | undefined {
  const first = Math.floor(topPx / rowHeightPx);
  if (topPx < 1 && findRow(rows, 0)?.kind === 'node') return undefined;
  for (let index = first; index < first + onScreen; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node') return { path: row.path, index };
  }
  return undefined;
}

/**
 * Returns an anchor on the second row if the first is an unread page, so that a view that starts at a key shows that key first.
 */
function findFirstShown(rows: TreeRows, scrollTop: number): Anchor | undefined {
  const second = findRow(rows, 1);
  const isBeforeUnread = scrollTop < 1 && findRow(rows, 0)?.kind === 'unread' && second?.kind === 'node';
  return isBeforeUnread ? { path: second.path, index: 0 } : undefined;
}
