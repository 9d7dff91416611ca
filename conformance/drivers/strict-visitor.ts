import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { onTestFinished } from 'vitest';

/** The browser logs a rejected request as an error, which is not an error of the page. */
const REJECTION = /^Failed to load resource: .* (?:400|401) /;

/** A browser window that records what a page of the server must never do. */
export class StrictVisitor {
  readonly page: Page;
  /** Uncaught errors, errors in the browser's log, violations of the content security policy, and requests to other origins. */
  readonly complaints: readonly string[];

  private constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  /** Opens a page at an address, and closes the window when the running test ends. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<StrictVisitor> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    onTestFinished(() => context.close());
    const complaints: string[] = [];
    await context.exposeFunction('reportViolation', (text: string) => complaints.push(text));
    await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      reportViolation('policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !REJECTION.test(message.text())) complaints.push(message.text());
    });
    const { origin } = new URL(url);
    page.on('request', (request) => {
      const target = new URL(request.url());
      if (!['data:', 'blob:'].includes(target.protocol) && target.origin !== origin)
        complaints.push(`request to ${target.origin}`);
    });
    await page.goto(url);
    return new StrictVisitor(page, complaints);
  }
}
