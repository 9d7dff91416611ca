import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { openWatchedPage } from '../browser.ts';

/** More tab stops than any page of the tests has. */
const MOST_STOPS = 20;
/** A user with a separate browser window, and a keyboard but no pointer. */
export class KeyboardVisitor {
  readonly page: Page;
  /** See `WatchedPage`; links of the page may lead to other origins. */
  readonly complaints: readonly string[];

  private constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Opens a page at an address, and closes the page when the running test ends. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<KeyboardVisitor> {
    const { page, complaints } = await openWatchedPage(browser, url, { mayLeave: true, ...options });
    return new KeyboardVisitor(page, complaints);
  }

  /** Opens an address in the same window. */
  async goTo(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Waits until a heading is visible. */
  async waitForHeading(heading: string): Promise<void> {
    await this.page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }

  /** Moves the focus by Tab to the button or link with this name, and presses Enter. */
  async press(name: string): Promise<void> {
    const { page } = this;
    const link = page.getByRole('link', { name, exact: true });
    await this.#reach(page.getByRole('button', { name, exact: true }).or(link));
    await page.keyboard.press('Enter');
  }

  /** Moves the focus by Tab to the field with this label, and pastes text. */
  async paste(label: string, text: string): Promise<void> {
    await this.#reach(this.page.getByLabel(label, { exact: true }));
    await this.page.keyboard.insertText(text);
  }

  async #reach(element: Locator): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await this.page.keyboard.press('Tab');
      if (await element.evaluate((reached) => reached === document.activeElement)) return;
    }
    throw new Error(`The keyboard cannot reach ${element} of ${this.page.url()}.`);
  }
}
