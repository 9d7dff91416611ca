import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { findViolations, type Violation } from '../accessibility.ts';
import { PAGE_WITHIN_MS } from '../browser.ts';

/** Folder for screenshots of the console; unset if they are not wanted. */
const PICTURES = process.env['HEARTH_PICTURES'];

/** The browser logs a failed request as an error, which is not an error of the page. */
const REJECTION = /^Failed to load resource: /;
/** The official SDK warns of a query without an index, as it does in every app. */
const INDEX_WARNING = 'FIREBASE WARNING: Using an unspecified index.';

/** Prefix of the lines by which a script in the page logs policy violations, because not every browser logs them. */
const BREACH = 'policy violation:';
/** Schemes of addresses that load nothing from another host. */
const LOCAL_SCHEMES = new Set(['data:', 'blob:', 'about:']);

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DARK: BrowserContextOptions = { colorScheme: 'dark' };
export const ARABIC: BrowserContextOptions = { locale: 'ar' };

/** A user of the console with a separate browser window. */
export class ConsoleVisitor {
  readonly page: Page;
  /** Uncaught errors, logged errors and warnings except failed requests, and all breaches. */
  readonly complaints: readonly string[];
  /**
   * The forbidden actions of a page: requests to other origins, and all that the page's content security policy
   * forbids.
   */
  readonly breaches: readonly string[];
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext, watch: Watch) {
    this.page = page;
    this.#context = context;
    this.complaints = watch.complaints;
    this.breaches = watch.breaches;
  }

  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<ConsoleVisitor> {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(PAGE_WITHIN_MS);
    const watch = await watchContext(context, new URL(url).origin);
    const page = await context.newPage();
    await page.goto(url);
    return new ConsoleVisitor(page, context, watch);
  }

  /**
   * Fails unless the page, or a part of it, passes the accessibility rules, has no text beyond an edge of the window
   * that the user cannot scroll to, and has no `complaints`.
   */
  async expectAccessible(within?: Locator): Promise<void> {
    expect(await this.#findViolations(within, {})).toEqual([]);
    expect(await this.page.evaluate(findTextsBeyondEdges)).toEqual([]);
    expect(this.complaints).toEqual([]);
  }

  /** Fails unless all text of a part has enough contrast in dark colors. Sets light colors again afterwards. */
  async expectReadableInDark(within: Locator): Promise<void> {
    await this.#setColorScheme('dark');
    expect(await this.#findViolations(within, { runOnly: ['color-contrast'] })).toEqual([]);
    await this.#setColorScheme('light');
  }

  async #setColorScheme(colorScheme: 'dark' | 'light'): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
      .toBe(colorScheme);
  }

  #findViolations(within = this.page.locator('html'), options: RunOptions): Promise<readonly Violation[]> {
    return findViolations(within, options);
  }

  /** Saves a screenshot of the window as `<name>.png`, if `HEARTH_PICTURES` is set. */
  async picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  /** Closes the window. Fails if a page has an inline script, or if there was a breach. */
  async close(): Promise<void> {
    for (const page of this.#context.pages()) await expectNoScriptIn(page);
    await this.#context.close();
    expect(this.breaches).toEqual([]);
  }
}

/**
 * Returns the texts beyond the left or the right edge of the window. Omits texts that the user can scroll to, texts
 * that end in an ellipsis, and invisible ones. Runs in the page.
 */
function findTextsBeyondEdges(): readonly string[] {
  const BARELY_PX = 2;
  function isWithinReach(element: Element | null): boolean {
    if (element === null || element === document.documentElement) return false;
    const { overflowX, textOverflow, clipPath, opacity } = getComputedStyle(element);
    // A view as a whole scrolls only up and down.
    const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.localName !== 'main';
    const isIntended = scrolls || textOverflow === 'ellipsis';
    const isForReadersOnly = clipPath !== 'none' || element.getBoundingClientRect().width <= 1;
    return isIntended || isForReadersOnly || opacity === '0' || isWithinReach(element.parentElement);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const element = node.parentElement;
    if (text === '' || element === null || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    const isOutside = right > innerWidth + BARELY_PX || left < -BARELY_PX;
    if (width > 0 && isOutside && !isWithinReach(element)) found.push(text.slice(0, 80));
  }
  return found;
}

interface Watch {
  readonly complaints: string[];
  readonly breaches: string[];
}

/** Records the complaints and breaches of all pages of a context from their beginning. */
async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const watch: Watch = { complaints: [], breaches: [] };
  const { complaints, breaches } = watch;
  function breach(text: string): void {
    complaints.push(text);
    breaches.push(text);
  }
  function checkAddress(text: string): void {
    const url = new URL(text);
    if (!LOCAL_SCHEMES.has(url.protocol) && url.origin.replace(/^ws/, 'http') !== origin)
      breach(`request to ${url.origin}`);
  }
  await context.addInitScript((prefix) => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(prefix, effectiveDirective, blockedURI),
    );
  }, BREACH);
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => checkAddress(request.url()));
  context.on('page', (page) => page.on('websocket', (socket) => checkAddress(socket.url())));
  context.on('console', (message) => {
    const text = message.text();
    if (text.startsWith(BREACH)) breach(text);
    else if (text.includes(INDEX_WARNING)) return;
    else if ((message.type() === 'error' || message.type() === 'warning') && !REJECTION.test(text))
      complaints.push(text);
  });
  return watch;
}

/** Fails if the page has an inline script, because every script must be a file of the server. */
async function expectNoScriptIn(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  const scripts = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src])')]
      .filter((script) => /^(|module|text\/javascript)$/.test(script.getAttribute('type') ?? ''))
      .map((script) => script.textContent),
  );
  expect(scripts).toEqual([]);
}
