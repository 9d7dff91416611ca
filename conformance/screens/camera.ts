import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';

type StorageState = NonNullable<BrowserContextOptions['storageState']>;

/** How a page is displayed, by the ending of the picture's name. */
export const LOOKS = {
  light: {},
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  arabic: { locale: 'ar' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

export type Look = keyof typeof LOOKS;

const COMMON: BrowserContextOptions = {
  locale: 'en-GB',
  timezoneId: 'UTC',
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
};

/** Long enough for a slow machine; only a missing page takes this long. */
const TIMEOUT_MS = 30_000;

/** Indicators of loading data; a bar with a value shows something else. */
const LOADING = '[role=progressbar]:not([aria-valuenow]), .MuiSkeleton-root';

/** What a picture shows. */
export interface Subject {
  readonly url: string;
  /** Session of a member who is signed in; guests have none. */
  readonly session?: StorageState | undefined;
  /** Brings the page into its state, and waits for what the picture has to show. */
  show(page: Page): Promise<void>;
}

/** Opens pages in a browser and saves their pictures in a folder. */
export class Camera {
  readonly #browser: Browser;
  readonly #folder: string;

  constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.#folder = folder;
  }

  /** Replaces the picture `<name>.png`. If the page is not shown as expected, rejects and keeps the picture. */
  async take(name: string, look: Look, { url, session, show }: Subject): Promise<void> {
    const context = await this.#browser.newContext({
      ...COMMON,
      ...LOOKS[look],
      ...(session === undefined ? {} : { storageState: session }),
    });
    try {
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const response = await page.goto(url);
      if (response?.ok() !== true) throw new Error(`${url} answers ${response?.status()}.`);
      await show(page);
      await untilLoaded(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      await writeFile(join(this.#folder, `${name}.png`), picture);
    } finally {
      await context.close();
    }
  }
}

/** Waits until the page loads nothing, has its fonts, and has drawn its last change. */
async function untilLoaded(page: Page): Promise<void> {
  await page.waitForFunction((loading) => document.querySelector(loading) === null, LOADING);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}
