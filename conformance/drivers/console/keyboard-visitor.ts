import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { CHROMIUM_LAUNCH } from '../../../scripts/chromium.ts';

/** More tab stops than any page of the tests has. */
const MOST_STOPS = 20;
/** The browser logs a rejected request as an error; that is not an error of the page. */
const REJECTION = /^Failed to load resource: .* 400 /;

/** Starts a browser for tests that run in Node, because they visit pages of the server, not of the test runner. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM_LAUNCH);
}

/** A user with a separate browser window, and a keyboard but no pointer. */
export class KeyboardVisitor {
  readonly page: Page;
  /** Errors, policy violations, and requests of pages to other origins. */
  readonly complaints: readonly string[];

  private constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Opens a page at an address; it is closed with the running test. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<KeyboardVisitor> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (!REJECTION.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      const target = new URL(request.url());
      const isOwn = target.protocol === 'data:' || target.origin === new URL(page.url()).origin;
      if (!request.isNavigationRequest() && !isOwn) complaints.push(`request to ${target.origin}`);
    });
    const visitor = new KeyboardVisitor(page, complaints);
    await visitor.goTo(url);
    return visitor;
  }

  /** Follows a link from outside. */
  async goTo(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Waits until a heading is visible. */
  async waitForHeading(heading: string): Promise<void> {
    await this.page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }

  /** Presses a button or follows a link. */
  async press(name: string): Promise<void> {
    const { page } = this;
    const link = page.getByRole('link', { name, exact: true });
    await this.#reach(page.getByRole('button', { name, exact: true }).or(link));
    await page.keyboard.press('Enter');
  }

  /** Enters text into a field, as by pasting it. */
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
