import type { Locator, Page, Request } from 'playwright';

/** A button of a page, or of a part of it, by its whole name or by a pattern. */
export function buttonOf(scope: Page | Locator, name: string | RegExp): Locator {
  return scope.getByRole('button', { name, exact: true });
}

/** Points at the notice that offers to take something back: it goes after seconds, but not while it is pointed at. */
export async function pointAtUndo(page: Page): Promise<void> {
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('alert').filter({ has: undo }).hover();
}

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

/** Waits until what was to be done with the next drawing, and after it, has been done. */
export function twoFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Waits for what comes last when a page is loaded. Who looks sooner for what is not offered finds nothing, whatever is offered. */
export async function seeWholePage(page: Page): Promise<void> {
  const areas = page.getByRole('navigation', { name: 'Main navigation' }).first();
  await areas.getByRole('link').first().waitFor();
}

/** Keeps the requests of a page to an address from the server until what it returns is called. */
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

/** The editor of rules of a page, by its label. */
export function rulesEditor(page: Page, label: string | RegExp = /^Rules of/): Locator {
  return page.getByRole('textbox', { name: label });
}

/** What the dialog to publish says once it has tried the draft, or knows that it cannot. */
export const TRIED = /(same|different) result|operations recorded|not recorded/;

/** Replaces all of its text by pasting another: typing is completed as one goes. */
export async function replaceText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor.evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
