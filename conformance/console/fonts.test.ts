import type { Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { holdRequests } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-default-rtdb';
const FONTS = '**/*.woff2';
/** The name of Source Code Pro in its file, which is that of its lightest weight. */
const CODE = 'Source Code Pro ExtraLight';

beforeAll(async () => {
  await testBed.admin('PUT', `/plain.json?ns=${DATABASE}`, { word: 'tea' });
  await testBed.admin('PUT', `/accents.json?ns=${DATABASE}`, { word: 'Łódź' });
});

/** Opens a window that records the names of the fonts that it requests, without their hashes. */
async function openWindow(locale = 'en-GB') {
  const context = await testBed.browser.newContext({ locale });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requested = new Set<string>();
  page.on('request', (request) => {
    const [, name] = /\/([\w-]+)-wght-normal-[\w-]{8}\.woff2$/.exec(request.url()) ?? [];
    if (name !== undefined) requested.add(name);
  });
  return { page, requested };
}

async function openNode(page: Page, key: string): Promise<void> {
  await page.goto(`${testBed.server.url}/console/projects/demo/data/${DATABASE}/${key}`, {
    waitUntil: 'commit',
  });
  await page.locator(`[data-path="/${key}/word"]`).waitFor();
}

/** Returns the fonts that draw the text directly in an element: those of the page by their names, and `system` for all others. */
async function fontsOf(page: Page, selector: string): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : 'system')).toSorted();
}

/** Opens a node twice: the second page has the fonts from the cache, however long they took. */
async function openNodeWithFonts(page: Page, key: string): Promise<void> {
  await openNode(page, key);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await openNode(page, key);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

test('[C940] letters and code are drawn with fonts of the console, and only those fonts are loaded', async () => {
  const { page, requested } = await openWindow();
  await openNodeWithFonts(page, 'plain');
  expect(await fontsOf(page, 'h1')).toEqual(['Inter']);
  expect(await fontsOf(page, '[data-path="/plain/word"] .key')).toEqual([CODE]);
  expect([...requested].toSorted()).toEqual(['inter-latin', 'source-code-pro-latin']);
});

test('[C940] letters with rare accents load a second font of the same family', async () => {
  const { page, requested } = await openWindow();
  await openNodeWithFonts(page, 'accents');
  expect(new Set(await fontsOf(page, '[data-path="/accents/word"] .value > *'))).toEqual(new Set([CODE]));
  expect(requested).toContain('source-code-pro-latin-ext');
  expect(requested).not.toContain('inter-latin-ext');
});

test('[C940] Arabic letters are drawn with a font of the console', async () => {
  const { page, requested } = await openWindow('ar');
  await openNodeWithFonts(page, 'plain');
  expect(await fontsOf(page, 'h1')).toEqual(['Vazirmatn']);
  expect(requested).toContain('vazirmatn-arabic');
});

test('[C941] fonts that arrive late move nothing, and the next page has them', async () => {
  const { page, requested } = await openWindow();
  const release = await holdRequests(page, FONTS);
  await openNode(page, 'plain');
  await expect.poll(() => requested.size).toBe(2);
  expect(await fontsOf(page, 'h1')).toEqual(['system']);
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value));
    }).observe({ type: 'layout-shift' });
  });
  release();
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  });
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
  expect(await fontsOf(page, 'h1')).toEqual(['system']);
  // Held requests bypass the cache.
  await page.unroute(FONTS);
  await openNodeWithFonts(page, 'plain');
  expect(await fontsOf(page, 'h1')).toEqual(['Inter']);
});
