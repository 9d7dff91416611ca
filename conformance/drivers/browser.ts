import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';

/** How long a page may take for each expected change. Long enough for a slow or busy machine. */
export const PAGE_WITHIN_MS = 120_000;

/** Starts Chromium for tests that run in Node and visit pages of the server. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM_LAUNCH);
}

/** Registers hooks that start Chromium before the tests of a file, pass it to `receive`, and close it afterwards. */
export function useBrowser(receive: (browser: Browser) => void): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
    receive(browser);
  });
  afterAll(() => browser?.close());
}

/** The browser logs a rejected request as an error, which is not an error of the page. */
const REJECTION = /^Failed to load resource: .* (?:400|401) /;

/** Schemes of addresses that load nothing from another host. */
const LOCAL_SCHEMES = new Set(['data:', 'blob:']);

/** A page in a separate window. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Uncaught errors, all messages in the browser's log except rejected requests, violations of the content security
   * policy, and requests to other origins.
   */
  readonly complaints: readonly string[];
}

export interface WatchedPageOptions extends BrowserContextOptions {
  /** Whether links of the page may lead to other origins. */
  readonly mayLeave?: boolean;
}

/** Opens a page at an address, and closes the window when the running test ends. */
export async function openWatchedPage(
  browser: Browser,
  url: string,
  { mayLeave = false, ...options }: WatchedPageOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PAGE_WITHIN_MS);
  const page = await context.newPage();
  const complaints = await recordComplaints(context, page, mayLeave);
  await page.goto(url);
  return { page, complaints };
}

async function recordComplaints(
  context: BrowserContext,
  page: Page,
  mayLeave: boolean,
): Promise<readonly string[]> {
  const complaints: string[] = [];
  await context.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    reportViolation('policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (!REJECTION.test(message.text())) complaints.push(message.text());
  });
  let origin: string | undefined;
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (request.isNavigationRequest() && (mayLeave || origin === undefined)) origin = target.origin;
    if (!LOCAL_SCHEMES.has(target.protocol) && target.origin !== origin)
      complaints.push(`request to ${target.origin}`);
  });
  return complaints;
}
