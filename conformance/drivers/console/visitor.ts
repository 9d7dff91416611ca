import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** What looks for hindrances, as text that the page runs outside of its policy for scripts. */
const AXE = axe.source;

/** Where pictures of the console go when they are asked for. */
const PICTURES = process.env['HEARTH_PICTURES'];

/** That a request was refused is said in the page, and is no fault of it. */
const REJECTION = /^Failed to load resource: /;

/** Begins what the page itself says of a breach of its policy, because not every browser tells of it otherwise. */
const BREACH = 'breach of the policy:';
/** Not from anywhere else: they are in the page already. */
const WITHIN = new Set(['data:', 'blob:', 'about:']);

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DARK: BrowserContextOptions = { colorScheme: 'dark' };
export const ARABIC: BrowserContextOptions = { locale: 'ar' };

interface Hindrance {
  readonly id: string;
  readonly help: string;
  readonly at: readonly unknown[];
}

/** Somebody at the console with a browser window of their own. */
export class ConsoleVisitor {
  readonly page: Page;
  /** Errors and warnings, and all breaches. */
  readonly complaints: readonly string[];
  /** What no page may ever do: requests to other origins than its own, scripts in the page, and what else its policy forbids. */
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
    const watch = await watchContext(context, new URL(url).origin);
    const page = await context.newPage();
    await page.goto(url);
    return new ConsoleVisitor(page, context, watch);
  }

  /**
   * Fails unless nothing on the page, or in a part of it, hinders a reader, no text lies beyond an edge of the window where nobody
   * can bring it back, and nothing was complained of.
   */
  async expectNoHindrance(within?: Locator): Promise<void> {
    expect(await this.#findHindrances(within, {})).toEqual([]);
    expect(await this.page.evaluate(findTextsBeyondEdges)).toEqual([]);
    expect(this.complaints).toEqual([]);
  }

  /** Fails unless all text of a part can be told from what is behind it in dark colours. They are light again afterwards. */
  async expectReadableInDark(within: Locator): Promise<void> {
    await this.#takeColours('dark');
    expect(await this.#findHindrances(within, { runOnly: ['color-contrast'] })).toEqual([]);
    await this.#takeColours('light');
  }

  async #takeColours(colorScheme: 'dark' | 'light'): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
      .toBe(colorScheme);
  }

  async #findHindrances(
    within: Locator = this.page.locator('html'),
    options: RunOptions,
  ): Promise<readonly Hindrance[]> {
    const isThere = await this.page.evaluate(() => 'axe' in globalThis);
    if (!isThere) await this.page.evaluate(AXE);
    return within.evaluate(async (root, chosen) => {
      const { run }: typeof axe = Reflect.get(globalThis, 'axe');
      const { violations } = await run(root, chosen);
      return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target }) => target) }));
    }, options);
  }

  /** Takes a picture of the window as `<name>.png`, if pictures are asked for. */
  async picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  /** Fails if any page did what none may ever do. */
  async close(): Promise<void> {
    for (const page of this.#context.pages()) await expectNoScriptIn(page);
    await this.#context.close();
    expect(this.breaches).toEqual([]);
  }
}

/** Runs in the page. What can be scrolled to, and what ends in an ellipsis, is within reach. */
function findTextsBeyondEdges(): readonly string[] {
  const BARELY_PX = 2;
  function isWithinReach(element: Element | null): boolean {
    if (element === null || element === document.documentElement) return false;
    const { overflowX, textOverflow, clipPath, opacity } = getComputedStyle(element);
    // A view as a whole scrolls up and down only.
    const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.localName !== 'main';
    const isMeant = scrolls || textOverflow === 'ellipsis';
    const isForReadersOnly = clipPath !== 'none' || element.getBoundingClientRect().width <= 1;
    return isMeant || isForReadersOnly || opacity === '0' || isWithinReach(element.parentElement);
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

/** Listens to all pages of a context from their beginning. */
async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const watch: Watch = { complaints: [], breaches: [] };
  const { complaints, breaches } = watch;
  function breach(text: string): void {
    complaints.push(text);
    breaches.push(text);
  }
  function checkAddress(text: string): void {
    const url = new URL(text);
    if (!WITHIN.has(url.protocol) && url.origin.replace(/^ws/, 'http') !== origin)
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
    else if ((message.type() === 'error' || message.type() === 'warning') && !REJECTION.test(text))
      complaints.push(text);
  });
  return watch;
}

/** What stands in the page itself is data: whatever runs comes as a file of the server. */
async function expectNoScriptIn(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  const scripts = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src])')]
      .filter((script) => /^(|module|text\/javascript)$/.test(script.getAttribute('type') ?? ''))
      .map((script) => script.textContent),
  );
  expect(scripts).toEqual([]);
}
