import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';

/** What looks for hindrances, as text that the page runs outside of its policy for scripts. */
const AXE = axe.source;

/** Where pictures of the console go when they are asked for. */
const PICTURES = process.env['HEARTH_PICTURES'];

/** That a request was refused is said in the page, and is no fault of it. */
const REFUSAL = /^Failed to load resource: /;

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DARK: BrowserContextOptions = { colorScheme: 'dark' };
export const ARABIC: BrowserContextOptions = { locale: 'ar' };

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[] }[];
}

/** Somebody at the console with a browser window of their own. */
export class ConsoleVisitor {
  readonly page: Page;
  /** Errors, violated policies, and requests to other origins than the console's. */
  readonly complaints: readonly string[];
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext, complaints: readonly string[]) {
    this.page = page;
    this.#context = context;
    this.complaints = complaints;
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
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning';
      if (isComplaint && !REFUSAL.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(url).origin)
        complaints.push(`request to ${origin}`);
    });
    await page.goto(url);
    return new ConsoleVisitor(page, context, complaints);
  }

  /** Fails unless nothing on the page hinders a reader, and nothing was complained of. */
  async expectNoHindrance(): Promise<void> {
    const { page } = this;
    const found = await page.evaluate(`${AXE};
      axe.run(document).then(({ violations }) =>
        violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target }) => ({ target })) })))`);
    expect(found as readonly Violation[]).toEqual([]);
    expect(this.complaints).toEqual([]);
  }

  /** Takes a picture of the window as `<name>.png`, if pictures are asked for. */
  async picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
