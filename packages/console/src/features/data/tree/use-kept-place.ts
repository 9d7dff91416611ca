import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { findIndex, findRow, type TreeRows } from './tree-rows.ts';

interface KeptPlace {
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
export function useKeptPlace({
  scroller,
  isThere = true,
  rows,
  rowHeightPx,
  isTail,
  leaveTail,
}: KeptPlace): void {
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
