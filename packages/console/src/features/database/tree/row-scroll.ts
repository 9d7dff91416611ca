import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react';

/** Maximum height of the rows in pixels. Browsers draw no element above a height of 11 to 17 million pixels. */
const MAX_CONTENT_PX = 8_000_000;

/**
 * Height in pixels of the parts at both ends in which scrolling by a pixel moves the rows by a pixel, so that the user
 * can scroll exactly to the ends.
 */
const END_PX = 50_000;

/** Distance in pixels by which the scroll bar may differ from the place of the rows. */
const MAX_DRIFT_PX = 50_000;

/**
 * The position in a scrolling element with any number of rows. If the rows are higher than an element may be, the
 * element has a smaller height, and the rows are drawn above their place by an offset. The offset stays while the user
 * scrolls, and changes when the user moves the scroll bar.
 */
export class RowScroll {
  readonly #scroller: RefObject<HTMLElement | null>;
  #total = 0;
  #rowHeightPx = 1;
  #offsetPx = 0;
  /** `scrollTop` of the element when it was last examined. */
  #seenPx = 0;

  constructor(scroller: RefObject<HTMLElement | null>) {
    this.#scroller = scroller;
  }

  resize(total: number, rowHeightPx: number): void {
    this.#total = total;
    this.#rowHeightPx = rowHeightPx;
  }

  get #fullPx(): number {
    return this.#total * this.#rowHeightPx;
  }

  /** Height of the element that holds the rows. */
  get contentPx(): number {
    return Math.min(this.#fullPx, MAX_CONTENT_PX);
  }

  /** Returns the distance of the upper edge of the screen from the first row. */
  readTopPx(): number {
    const element = this.#scroller.current;
    if (element === null) return 0;
    const { scrollTop, clientHeight } = element;
    // A scroll bar is as long as the element. The user drags it by a pixel of the screen or more.
    const leastDragPx = maxScrollOf(element) / clientHeight;
    const isJump = Math.abs(scrollTop - this.#seenPx) > leastDragPx / 2;
    this.#seenPx = scrollTop;
    const hiddenPx = this.#fullPx - this.contentPx;
    if (hiddenPx === 0) this.#offsetPx = 0;
    else if (isJump)
      this.#offsetPx = Math.round(barToRows(scrollTop, maxScrollOf(element), hiddenPx) - scrollTop);
    return scrollTop + this.#offsetPx;
  }

  /** Returns the CSS `top` of a row. */
  topOf(index: number): number {
    return index * this.#rowHeightPx - this.#offsetPx;
  }

  /** Scrolls to a distance from the first row. */
  scrollTo(topPx: number): void {
    const element = this.#scroller.current;
    if (element === null) return;
    const hiddenPx = this.#fullPx - this.contentPx;
    const maxPx = maxScrollOf(element);
    const wantedPx = Math.max(0, Math.min(topPx, maxPx + hiddenPx));
    if (hiddenPx === 0) element.scrollTop = wantedPx;
    else {
      const inProportionPx = Math.round(rowsToBar(wantedPx, maxPx, hiddenPx));
      const samePx = wantedPx - this.#offsetPx;
      element.scrollTop = this.#isFar(samePx, inProportionPx, element) ? inProportionPx : samePx;
    }
    // The element rounds.
    this.#seenPx = element.scrollTop;
    this.#offsetPx = hiddenPx === 0 ? 0 : Math.round(wantedPx - this.#seenPx);
  }

  /**
   * Moves the scroll bar to the place of the rows on the screen, if it is far from there. Returns whether rows must be
   * drawn again.
   */
  settle(): boolean {
    const element = this.#scroller.current;
    if (element === null || (this.#offsetPx === 0 && this.#fullPx === this.contentPx)) return false;
    const before = this.#offsetPx;
    this.scrollTo(this.readTopPx());
    return this.#offsetPx !== before;
  }

  /** Returns whether the scroll bar would be too far from its place, or close to an end although rows follow. */
  #isFar(scrollPx: number, inProportionPx: number, element: HTMLElement): boolean {
    const isNearEnd = scrollPx < END_PX / 2 || scrollPx > maxScrollOf(element) - END_PX / 2;
    return isNearEnd || Math.abs(scrollPx - inProportionPx) > MAX_DRIFT_PX;
  }
}

/** Returns the place of the rows for a position of the scroll bar of at most `maxPx`. The rows are higher by `hiddenPx`. */
function barToRows(barPx: number, maxPx: number, hiddenPx: number): number {
  if (barPx <= END_PX) return barPx;
  if (barPx >= maxPx - END_PX) return barPx + hiddenPx;
  const middlePx = maxPx - 2 * END_PX;
  return END_PX + ((barPx - END_PX) * (middlePx + hiddenPx)) / middlePx;
}

/** Returns the inverse of `barToRows`. */
function rowsToBar(rowsPx: number, maxPx: number, hiddenPx: number): number {
  if (rowsPx <= END_PX) return rowsPx;
  if (rowsPx >= maxPx + hiddenPx - END_PX) return rowsPx - hiddenPx;
  const middlePx = maxPx - 2 * END_PX;
  return END_PX + ((rowsPx - END_PX) * middlePx) / (middlePx + hiddenPx);
}

function maxScrollOf({ scrollHeight, clientHeight }: HTMLElement): number {
  return Math.max(1, scrollHeight - clientHeight);
}

/**
 * Returns the position in an element with `total` rows. Keeps the scroll bar in its place when the number of rows
 * changes.
 */
export function useRowScroll(
  scroller: RefObject<HTMLElement | null>,
  total: number,
  rowHeightPx: number,
): RowScroll {
  const scroll = useRef<RowScroll>(undefined);
  scroll.current ??= new RowScroll(scroller);
  const current = scroll.current;
  current.resize(total, rowHeightPx);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of the rows depends on their number.
  useLayoutEffect(() => {
    if (current.settle()) draw();
  }, [current, total, rowHeightPx]);
  return current;
}
