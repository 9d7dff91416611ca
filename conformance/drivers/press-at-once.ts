import type { Page } from 'playwright';

/** A key, as in `KeyboardEvent`. */
export interface Stroke {
  readonly key: string;
  readonly altKey?: boolean;
}

/** Presses keys so soon after each other that nothing can be drawn between them, on what has no field in focus. */
export function pressAtOnce(page: Page, ...strokes: readonly Stroke[]): Promise<void> {
  return page.evaluate((pressed) => {
    for (const stroke of pressed)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...stroke, bubbles: true }));
  }, strokes);
}
