import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { CHROMIUM_LAUNCH } from '../../../scripts/chromium.ts';

/** More tab stops than any page of the tests has. */
const MOST_STOPS = 20;
/** The browser logs a response with status 400 as an error, which is not an error of the page. */
const REJECTION = /^Failed to load resource: .* 400 /;

/** Starts Chromium for tests that run in Node and visit pages of the server. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM_LAUNCH);
}

/** A user with a separate browser window, and a keyboard but no pointer. */
export class KeyboardVisitor {
  readonly page: Page;
  /** Uncaught errors, all messages in the browser's log except rejected requests, and requests to other origins. */
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
