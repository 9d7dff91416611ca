import type { Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { holdRequests } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-default-rtdb';
const LIST = `/projects/demo/data/${DATABASE}/list`;
const CHILDREN = `/api/databases/${DATABASE}/children`;
/** Less than the time for which prefetched data is kept: a page that takes longer to start requests the data again. */
const IN_TIME_MS = 4_500;
/** So many attempts that at least one start is fast, on any machine. */
const MOST_STARTS = 5;
/** The script that draws the console. */
const CONSOLE_SCRIPT = '**/assets/console-*.js';

beforeAll(() => testBed.admin('PUT', `/list.json?ns=${DATABASE}`, { a: 1 }));

/** Opens a page that has not loaded any address yet. */
async function openPage(): Promise<Page> {
  const context = await testBed.browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  return context.newPage();
}

function go(page: Page, view: string): Promise<unknown> {
  return page.goto(`${testBed.server.url}/console${view}`, { waitUntil: 'commit' });
}

/** Calls `start` until the page shows rows within IN_TIME_MS, at most MOST_STARTS times. Returns the last result. */
async function startInTime<Seen extends { readonly atMs: number }>(
  start: () => Promise<Seen>,
): Promise<Seen> {
  for (let starts = 1; ; starts += 1) {
    const seen = await start();
    if (seen.atMs <= IN_TIME_MS || starts === MOST_STARTS) return seen;
  }
}

test('[C310] the first requests of a view are sent in parallel with the script that draws it', async () => {
  const page = await openPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const release = await holdRequests(page, CONSOLE_SCRIPT);
  await go(page, LIST);
  for (const part of ['/api/session', CHILDREN, '/assets/data-page-', '/assets/shell-', '/assets/data-'])
    await expect
      .poll(() => requested.filter((path) => path.includes(part)), { message: part })
      .not.toEqual([]);
  expect(await page.locator('#root > :not([data-skeleton])').count()).toBe(0);
  release();
  await page.getByRole('treegrid').waitFor();
});

test.each(['light', 'dark'] as const)(
  '[C720] in %s colors, the page shows a skeleton before its scripts have arrived, and then the view',
  async (colorScheme) => {
    const page = await openPage();
    await page.emulateMedia({ colorScheme });
    const release = await holdRequests(page, '**/assets/*.js');
    await go(page, LIST);
    const skeleton = page.locator('#root > [data-skeleton]');
    await skeleton.locator('rect').last().waitFor();
    const fill = await skeleton.evaluate((element) => getComputedStyle(element).fill);
    expect(fill).toBe(colorScheme === 'dark' ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)');
    release();
    await page.getByRole('treegrid').waitFor();
    expect(await skeleton.count()).toBe(0);
  },
);

/** Starts the console and waits until it shows rows. Returns the time that this took, and the requests until then. */
async function startAtList(): Promise<{ readonly atMs: number; readonly requested: readonly string[] }> {
  const page = await openPage();
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('[data-path="/list/a"]') === null) return;
      observer.disconnect();
      const requested = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      const seen = { atMs: performance.now(), requested };
      document.documentElement.dataset['seen'] = JSON.stringify(seen);
    }).observe(document, { childList: true, subtree: true });
  });
  await go(page, LIST);
  await page.locator('html[data-seen]').waitFor({ state: 'attached' });
  return JSON.parse(await page.evaluate(() => document.documentElement.dataset['seen'] ?? ''));
}

test('[C311] the view does not request prefetched data again', async () => {
  const { requested } = await startInTime(startAtList);
  expect(requested.filter((path) => path === '/api/session')).toHaveLength(1);
  expect(requested.filter((path) => path === CHILDREN)).toHaveLength(1);
});

test('[C312] frame and view are drawn together, without a progress indicator before', async () => {
  const page = await openPage();
  await page.addInitScript(() => {
    // Records which of these parts are drawn first.
    const parts = ['[role=progressbar]', 'nav', '[role=treegrid]'];
    new MutationObserver((_changes, observer) => {
      const drawn = parts.filter((part) => document.querySelector(part) !== null);
      if (drawn.length === 0) return;
      observer.disconnect();
      document.documentElement.dataset['drawn'] = drawn.join(' ');
    }).observe(document, { childList: true, subtree: true });
  });
  await go(page, LIST);
  await page.getByRole('treegrid').waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset['drawn'])).toBe('nav [role=treegrid]');
});

/** Opens the list, and delays the script that draws the console until the page has read the children. */
async function goToKnownList(page: Page): Promise<void> {
  await page.addInitScript((children) => {
    const { text } = Response.prototype;
    Response.prototype.text = async function () {
      const whole = await text.call(this);
      if (this.url.includes(children)) document.documentElement.dataset['known'] = '';
      return whole;
    };
  }, CHILDREN);
  await page.route(CONSOLE_SCRIPT, async (route) => {
    await page.locator('html[data-known]').waitFor({ state: 'attached' });
    await route.continue();
  });
  await go(page, LIST);
}

interface Display {
  readonly width: number;
  readonly fontPx: number;
}

/** Starts the console. Returns when it showed rows, whether the bars had content then, and how far content moved. */
async function measureStart({ width, fontPx }: Display) {
  const page = await openPage();
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript((font) => {
    // Kept here and not on the root element, which is replaced when the page is parsed.
    const seen = { hasBarContent: '', shift: 0, atMs: 0 };
    new MutationObserver((_changes, observer) => {
      document.documentElement.style.fontSize = font;
      if (document.querySelector('[data-path="/list/a"]') === null) return;
      observer.disconnect();
      seen.atMs = performance.now();
      seen.hasBarContent = String(document.querySelector('nav a') !== null);
    }).observe(document, { childList: true, subtree: true });
    const shifts = new PerformanceObserver((list) => add(list.getEntries()));
    const add = (entries: readonly PerformanceEntry[]): void => {
      for (const entry of entries) if ('value' in entry) seen.shift += Number(entry.value);
    };
    shifts.observe({ type: 'layout-shift', buffered: true });
    // A layout shift is reported after the frame that shows it.
    const readSeen = (): Promise<unknown> =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }).then(() => {
        add(shifts.takeRecords());
        return seen;
      });
    Object.assign(globalThis, { readSeen });
  }, `${fontPx}px`);
  await goToKnownList(page);
  await page.getByRole('link', { name: 'Accounts' }).waitFor();
  await page.getByRole('button', { name: 'Add' }).waitFor();
  return page.evaluate<{ readonly hasBarContent: string; readonly shift: number; readonly atMs: number }>(
    'readSeen()',
  );
}

test.each([
  ['after the rows in wide windows', { width: 1_280, fontPx: 16 }, 'false'],
  ['after the rows in large letters', { width: 1_280, fontPx: 20 }, 'false'],
  ['with the rows in narrower windows', { width: 1_000, fontPx: 16 }, 'true'],
])('[C426] the content of the bars is drawn %s, and moves nothing', async (_when, display, hasBarContent) => {
  const seen = await startInTime(() => measureStart(display));
  expect(seen).toEqual({ hasBarContent, shift: 0, atMs: expect.any(Number) });
});

test.each([
  ['/', 'Path or URL of a node'],
  ['s', 'Search below this node'],
])('[C426] the key %s works as soon as rows are shown', async (key, label) => {
  const page = await openPage();
  await page.addInitScript((pressed) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('[data-path="/list/a"]') === null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
      // The element that has the focus now receives the next key, which may follow immediately.
      document.activeElement?.setAttribute('data-first', '');
    }).observe(document, { childList: true, subtree: true });
  }, key);
  await goToKnownList(page);
  await page.getByLabel(label, { exact: true }).and(page.locator('[data-first]')).waitFor();
});

test('[C314] if the server does not answer at the start, the console retries', async () => {
  const page = await openPage();
  await page.route('**/api/session', (route) => route.abort(), { times: 1 });
  await go(page, LIST);
  await page.getByRole('treegrid').waitFor();
});
