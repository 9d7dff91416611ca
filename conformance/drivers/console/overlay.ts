import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { hasFocus, Keyboard } from './keyboard.ts';
import type { ConsoleVisitor } from './visitor.ts';

/** More than any dialog has. */
const MOST_STOPS = 60;

/** A dialog, a menu or a list of choices that opens over a view. */
export interface Overlay {
  /** Of the console's source, the file that it is in. */
  readonly file: string;
  /** Where it opens: a view, such as `/projects/demo/data`. */
  readonly view: string;
  readonly role: 'dialog' | 'menu' | 'listbox';
  readonly name: string | RegExp;
  /** What is done in the view before; it is left as it is then. */
  readonly prepare?: (keys: Keyboard, page: Page) => Promise<void>;
  /** What the keyboard is at when it opens, and gets back. */
  readonly opener: (page: Page) => Locator;
  /** Opens it from there; Enter unless given. */
  readonly open?: (keys: Keyboard, page: Page) => Promise<void>;
  /** A list of suggestions leaves the keyboard in its field. */
  readonly isSuggesting?: boolean;
}

/** Fails unless it opens by keys, keeps the keyboard, goes with Escape, gives the keyboard back, and hinders no reader. */
export async function expectSoundOverlay(visitor: ConsoleVisitor, overlay: Overlay): Promise<void> {
  const { page } = visitor;
  const keys = new Keyboard(page);
  await overlay.prepare?.(keys, page);
  const opener = overlay.opener(page);
  await keys.reach(opener);
  if (overlay.open === undefined) await keys.press('Enter');
  else await overlay.open(keys, page);
  const shown = page.getByRole(overlay.role, { name: overlay.name });
  await shown.waitFor();
  await expect.poll(() => holdsFocus(overlay.isSuggesting ? opener : shown)).toBe(true);
  await visitor.expectNoHindrance(shown);
  if (overlay.role === 'dialog') {
    await visitor.expectReadableInDark(shown);
    await expectKept(keys, shown);
  }
  await keys.press('Escape');
  await shown.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(opener)).toBe(true);
}

/** Goes through all stops of a dialog, and backwards over its beginning. */
export async function expectKept(keys: Keyboard, dialog: Locator): Promise<void> {
  const page = dialog.page();
  const kept = await dialog.elementHandle();
  await keys.press('Tab');
  const first = await page.evaluateHandle(() => document.activeElement);
  /** Whether the keyboard is in the dialog, and at its first stop. */
  const look = () =>
    page.evaluate(
      ([inside, start]) => [inside?.contains(document.activeElement), start === document.activeElement],
      [kept, first] as const,
    );
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    const [isInside, isFirst] = await look();
    expect(isInside).toBe(true);
    if (stop > 0 && isFirst) break;
    await keys.press('Tab');
  }
  for (const _ of [1, 2]) {
    await keys.press('Shift+Tab');
    expect((await look())[0]).toBe(true);
  }
}

export function holdsFocus(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found.contains(document.activeElement));
}
