import type { Browser, BrowserContext } from 'playwright';

/** Somebody with a browser window, an empty cache and nothing stored; the window closes when disposed. */
export function openVisitor(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
}
