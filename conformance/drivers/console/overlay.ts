import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { hasFocus, Keyboard } from './keyboard.ts';
import type { ConsoleVisitor } from './visitor.ts';

/** More tab stops than any dialog has. */
const MOST_STOPS = 60;

/** A dialog, a menu or a list of choices that opens over a view. */
export interface Overlay {
  /** The source file that defines the overlay, such as `features/rules/denials/settings-dialog.tsx`. */
  readonly file: string;
  /** The view in which the overlay opens, such as `/projects/demo/data`. */
  readonly view: string;
  readonly role: 'dialog' | 'menu' | 'listbox';
  readonly name: string | RegExp;
  /** Prepares the view; the changes remain afterwards. */
  readonly prepare?: (keys: Keyboard, page: Page) => Promise<void>;
  /** The element that has the focus before the overlay opens, and again after it closes. */
  readonly opener: (page: Page) => Locator;
  /** Opens the overlay while the opener has the focus; presses Enter unless given. */
  readonly open?: (keys: Keyboard, page: Page) => Promise<void>;
  /** Whether the overlay is a list of suggestions, which leaves the focus in its field. */
  readonly isSuggesting?: boolean;
}

/**
 * Fails unless the overlay opens by keys, takes the focus, passes the accessibility rules, closes with Escape, and
 * returns the focus to its opener. A dialog must also keep the focus, and be readable in dark colors.
 */
export async function expectAccessibleOverlay(visitor: ConsoleVisitor, overlay: Overlay): Promise<void> {
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
  await visitor.expectAccessible(shown);
  if (overlay.role === 'dialog') {
    await visitor.expectReadableInDark(shown);
    await expectFocusStays(keys, shown);
  }
  await keys.press('Escape');
  await shown.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(opener)).toBe(true);
}

/** Visits all tab stops of a dialog, and moves backwards past its first one. Fails if the focus leaves the dialog. */
export async function expectFocusStays(keys: Keyboard, dialog: Locator): Promise<void> {
  const page = dialog.page();
  const kept = await dialog.elementHandle();
  await keys.press('Tab');
  const first = await page.evaluateHandle(() => document.activeElement);
  /** Returns whether the focus is in the dialog, and whether it is at its first tab stop. */
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
