import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';

type StorageState = NonNullable<BrowserContextOptions['storageState']>;

/** Browser options of each look. The name of a picture ends with its look. */
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

/** Longest wait for a page or an element. Only a failure takes this long, even on a slow machine. */
const TIMEOUT_MS = 30_000;

/** Selector of the console's indicators of loading. Progress bars with a value are not among them. */
const LOADING = '[role=progressbar]:not([aria-valuenow]), .MuiSkeleton-root';

/** The subject of a picture. */
export interface Subject {
  readonly url: string;
  /** Stored session of a member. Without it, no member is signed in. */
  readonly session?: StorageState | undefined;
  /** Brings the page into the wanted state, and waits until it shows that state. */
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

  /** Replaces the picture `<name>.png`. If the page does not load or `show` rejects, keeps the picture and rejects. */
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
      // A page keeps the fonts of the system if its own arrive late. The second visit has them in the cache.
      await untilLoaded(page);
      await page.reload();
      await show(page);
      await untilLoaded(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      await writeFile(join(this.#folder, `${name}.png`), picture);
    } finally {
      await context.close();
    }
  }
}

/** Waits until the page shows no indicator of loading, has its fonts, and has drawn its last change. */
async function untilLoaded(page: Page): Promise<void> {
  await page.waitForFunction((loading) => document.querySelector(loading) === null, LOADING);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}
