import type { Locator, Page, Request } from 'playwright';

/** Returns a button of a page, or of a part of it, by its whole name or by a pattern. */
export function buttonOf(scope: Page | Locator, name: string | RegExp): Locator {
  return scope.getByRole('button', { name, exact: true });
}

/** Points at the notice with the undo button, because the notice disappears after some seconds without a pointer. */
export async function pointAtUndo(page: Page): Promise<void> {
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('alert').filter({ has: undo }).hover();
}

/** A key, as in `KeyboardEvent`. */
export interface Stroke {
  readonly key: string;
  readonly altKey?: boolean;
}

/**
 * Presses keys so quickly that the page cannot draw between them. The body receives the keys, and no field does.
 */
export function pressWithoutPause(page: Page, ...strokes: readonly Stroke[]): Promise<void> {
  return page.evaluate((pressed) => {
    for (const stroke of pressed)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...stroke, bubbles: true }));
  }, strokes);
}

/** Waits until the page has drawn the next frame, and the one after it begins. */
export function twoFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/**
 * Waits for the navigation, which a page draws last. Without this, a test that expects a button to be absent may
 * pass before the page draws the button.
 */
export async function waitForWholePage(page: Page): Promise<void> {
  const areas = page.getByRole('navigation', { name: 'Main navigation' }).first();
  await areas.getByRole('link').first().waitFor();
}

/** Holds the requests of a page to an address that `isHeld` selects. Returns a function that releases them. */
export async function holdRequests(
  page: Page,
  address: string,
  isHeld: (request: Request) => boolean = () => true,
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (isHeld(route.request())) await promise;
    await route.continue();
  });
  return resolve;
}

/** Returns the rules editor of a page, by its label. */
export function rulesEditor(page: Page, label: string | RegExp = /^Rules of/): Locator {
  return page.getByRole('textbox', { name: label });
}

/** Matches the text of the publishing dialog after the draft is tested, or when no test is possible. */
export const TRIED = /(same|different) result|operations recorded|not recorded/;

/** Replaces all text of the editor by pasting, because the editor completes typed text. */
export async function replaceText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor.evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
