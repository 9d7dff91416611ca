import type { ElementHandle, Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** More than any page of the console has. */
const MOST_STOPS = 150;
/** More than any menu of the tests has. */
const MOST_ENTRIES = 60;

/** What somebody can do who has a keyboard and nothing to point with. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses keys one after the other, such as `Control+k`. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Types a text where the keyboard is. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Goes from stop to stop to something that is there, or comes, and can be used; within tabs and groups of buttons by arrows. */
  async reach(element: Locator): Promise<void> {
    await expect.poll(() => element.isEnabled()).toBe(true);
    let found = await findNow(element);
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      const location = await found.evaluate(findFocus);
      if (location === 'there') return;
      if (location === 'gone') found = await findNow(element);
      else await this.press(location === 'beside' ? 'ArrowRight' : 'Tab');
    }
    const at = await this.#page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    throw new Error(`The keyboard does not get to ${element} of ${this.#page.url()}, but is at ${at}.`);
  }

  /** Presses a button or follows a link. */
  async enter(element: Locator): Promise<void> {
    await this.reach(element);
    await this.press('Enter');
  }

  /** Writes a text into a field, in the place of what is there. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.press('ControlOrMeta+a');
    await this.#page.keyboard.insertText(text);
  }

  /** Takes an entry of the menu or list that is open. */
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
    throw new Error(`There is no entry "${entry}" in the menu.`);
  }
}

/** The element itself: to look it up at each stop would take longer than everything else. */
async function findNow(element: Locator): Promise<ElementHandle<Element>> {
  const found = await element.elementHandle();
  if (found === null) throw new Error(`There is no ${element}.`);
  return found;
}

/** Where the keyboard is, as an element sees it: beside it at another of the tabs, or of the buttons that one is chosen of. */
function findFocus(element: Element): 'there' | 'beside' | 'elsewhere' | 'gone' {
  if (!element.isConnected) return 'gone';
  if (element === document.activeElement) return 'there';
  const group = element.closest('[role=tablist], [role=group]:has(> [aria-pressed])');
  return group?.contains(document.activeElement) === true ? 'beside' : 'elsewhere';
}

/** Is the keyboard at an element? */
export function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found === document.activeElement);
}
