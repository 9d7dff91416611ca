import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowScroll } from './row-scroll.ts';

const ROW_PX = 36;
const SCREEN_PX = 600;
const MILLION = 1_000_000;

/** Opens an element with this many rows, which rounds and limits its position as browsers do. */
function openScroller(total: number) {
  let top = 0;
  const element = {
    clientHeight: SCREEN_PX,
    get scrollHeight(): number {
      return scroll.contentPx;
    },
    get scrollTop(): number {
      return top;
    },
    set scrollTop(px: number) {
      top = Math.max(0, Math.min(Math.round(px), this.scrollHeight - SCREEN_PX));
    },
  };
  const scroll = new RowScroll({ current: element as unknown as HTMLElement });
  scroll.resize(total, ROW_PX);
  /** Scrolls like a user, with the wheel or the scroll bar. */
  function move(px: number): number {
    element.scrollTop += px;
    const before = scroll.readTopPx();
    scroll.settle();
    expect(scroll.readTopPx()).toBe(before);
    return before;
  }
  return { element, scroll, move };
}

test('[C621] a small number of rows scrolls like the content of any element', () => {
  const { element, scroll, move } = openScroller(1_000);
  expect([scroll.contentPx, move(5_000), move(100), scroll.topOf(7)]).toEqual([36_000, 5_000, 5_100, 252]);
  scroll.scrollTo(9_000);
  expect(element.scrollTop).toBe(9_000);
});

test('[C621] the scroll bar of a million rows reaches each part of them in proportion', () => {
  const { element, scroll, move } = openScroller(MILLION);
  const barPx = scroll.contentPx - SCREEN_PX;
  expect(scroll.contentPx).toBeLessThan(10_000_000);
  for (const share of [0.5, 0.1, 0.9, 1, 0]) {
    move(share * barPx - element.scrollTop);
    expect(scroll.readTopPx() / (MILLION * ROW_PX - SCREEN_PX)).toBeCloseTo(share, 2);
  }
});

test('[C621] scrolling moves rows by the same distance, from any place to either end', () => {
  fc.assert(
    fc.property(fc.nat(MILLION), fc.constantFrom(-1_500, -100, 100, 1_500), (row, stepPx) => {
      const { scroll, move } = openScroller(MILLION);
      scroll.scrollTo(row * ROW_PX);
      const lastPx = MILLION * ROW_PX - SCREEN_PX;
      for (let step = 0; step < 200; step++) {
        const before = scroll.readTopPx();
        expect(move(stepPx)).toBe(Math.max(0, Math.min(before + stepPx, lastPx)));
      }
    }),
    { numRuns: 30 },
  );
});

test('[C621] rows on the screen are drawn within the element', () => {
  fc.assert(
    fc.property(fc.nat(MILLION), (row) => {
      const { element, scroll } = openScroller(MILLION);
      scroll.scrollTo(row * ROW_PX);
      const first = Math.floor(scroll.readTopPx() / ROW_PX);
      expect(scroll.topOf(first)).toBeGreaterThanOrEqual(element.scrollTop - ROW_PX);
      expect(scroll.topOf(first)).toBeLessThanOrEqual(element.scrollTop);
    }),
  );
});

test('[C621] the rows on the screen stay when the number of rows changes', () => {
  const { scroll } = openScroller(MILLION);
  scroll.scrollTo(20_000_000);
  scroll.resize(MILLION + 5_000, ROW_PX);
  scroll.settle();
  expect(scroll.readTopPx()).toBe(20_000_000);
  scroll.resize(1_000, ROW_PX);
  scroll.scrollTo(0);
  expect([scroll.readTopPx(), scroll.topOf(3)]).toEqual([0, 108]);
});
