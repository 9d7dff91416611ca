import { type Browser, type BrowserContext, chromium } from 'playwright';
import { CHROMIUM, CHROMIUM_ARGS } from './open-chromium.ts';

const WINDOW = { locale: 'en-GB', viewport: { width: 1280, height: 800 } };

/** Somebody with a browser window, an empty cache and nothing stored; the window closes when disposed. */
export function openVisitor(browser: Browser): Promise<BrowserContext> {
  return browser.newContext(WINDOW);
}

/**
 * Somebody whose browser keeps what it has loaded in a directory, and with it scripts that are compiled already, which the private
 * windows of `openVisitor` never have. The browser ends when disposed.
 */
export function openRegular(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, {
    ...WINDOW,
    executablePath: CHROMIUM,
    args: CHROMIUM_ARGS,
  });
}
