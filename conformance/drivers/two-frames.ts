import type { Page } from 'playwright';

/** Waits until what was to be done with the next drawing, and after it, has been done. */
export function twoFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
