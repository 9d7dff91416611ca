import type { ElementHandle, Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** More tab stops than any page of the console has. */
const MOST_STOPS = 150;
/** More entries than any menu of the tests has. */
const MOST_ENTRIES = 60;

/** The key that moves the focus towards an element. */
const KEY_TOWARDS = { beside: 'ArrowRight', above: 'ArrowDown', elsewhere: 'Tab' } as const;

/** A user with a keyboard but no pointer. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses keys one after the other, such as `Control+k`. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Types text into the element with the focus. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /**
   * Waits until an element exists and is enabled, and moves the focus to it: by Tab, and by an arrow key within a group
   * of tabs or buttons.
   */
  async reach(element: Locator): Promise<void> {
    await expect.poll(() => element.isEnabled()).toBe(true);
    let found = await findNow(element);
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      const focus = await found.evaluate(findFocus);
      if (focus === 'there') return;
      if (focus === 'gone') found = await findNow(element);
      else await this.press(KEY_TOWARDS[focus]);
    }
    const at = await this.#page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    throw new Error(`The keyboard cannot reach ${element} of ${this.#page.url()}; the focus is at ${at}.`);
  }

  /** Presses a button or follows a link. */
  async enter(element: Locator): Promise<void> {
    await this.reach(element);
    await this.press('Enter');
  }

  /** Replaces the text of a field. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.press('ControlOrMeta+a');
    await this.#page.keyboard.insertText(text);
  }

  /** Selects the first entry of the open menu or list whose text begins with `entry`. */
  async choose(entry: string): Promise<void> {
    const current = this.#page.locator('[role=menuitem]:focus, [role=option]:focus');
    await current.waitFor();
    await this.press('Home');
    for (let step = 0; step < MOST_ENTRIES; step++) {
      if ((await current.textContent())?.startsWith(entry)) {
        await this.press('Enter');
        return;
      }
      await this.press('ArrowDown');
    }
    throw new Error(`The menu has no entry "${entry}".`);
  }
}

/** Returns a handle of the element, because finding the element again at each tab stop would take too long. */
async function findNow(element: Locator): Promise<ElementHandle<Element>> {
  const found = await element.elementHandle();
  if (found === null) throw new Error(`The page has no ${element}.`);
  return found;
}

/**
 * Returns where the focus is: at the element (`there`), at another tab or button of its group (`beside`, or `above` in a
 * column), or `elsewhere`. `gone` means that the page no longer has the element.
 */
function findFocus(element: Element): 'there' | keyof typeof KEY_TOWARDS | 'gone' {
  if (!element.isConnected) return 'gone';
  if (element === document.activeElement) return 'there';
  const group = element.closest('[role=tablist], [role=group]:has(> [aria-pressed])');
  if (group?.contains(document.activeElement) !== true) return 'elsewhere';
  return group.getAttribute('aria-orientation') === 'vertical' ? 'above' : 'beside';
}

/** Returns whether an element has the focus. */
export function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found === document.activeElement);
}
