import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { readCpuUs } from '../measure/process.ts';
import { pause, readClockMs } from '../measure/time.ts';

/**
 * Path of the browser. Playwright's own build is not always installed, so the default is the browser of the
 * system. The variable CHROMIUM_PATH names another program.
 */
export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** Starts Chromium without a window. Disposal ends it. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
}

const WINDOW = { locale: 'en-GB', viewport: { width: 1280, height: 800 } };

/** Opens a browser window with an empty cache and empty storage, as for a first visit. Disposal closes it. */
export function openVisitor(browser: Browser): Promise<BrowserContext> {
  return browser.newContext(WINDOW);
}

/**
 * Starts a browser that keeps its cache in a directory. Unlike the windows of `openVisitor`, it also caches
 * compiled scripts. Disposal ends it.
 */
export function openRegular(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, {
    ...WINDOW,
    executablePath: CHROMIUM,
    args: CHROMIUM_ARGS,
  });
}

const BUSY_MS = 300;

/**
 * Returns the id of the process that runs a page. Chromium lists its processes, but not their pages, so this
 * is the process that works most while the page is busy.
 */
export async function findTabProcess(page: Page): Promise<number> {
  const pids = await readRendererPids(page);
  const before = pids.map(readCpuUs);
  await page.evaluate((busyMs) => {
    const end = performance.now() + busyMs;
    while (performance.now() < end);
  }, BUSY_MS);
  const [found] = pids
    .map((pid, index) => ({ pid, usedUs: readCpuUs(pid) - (before[index] ?? 0) }))
    .sort((one, other) => other.usedUs - one.usedUs);
  if (found === undefined) throw new Error('the browser has no process for a page');
  return found.pid;
}

async function readRendererPids(page: Page): Promise<readonly number[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page does not belong to a browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

const QUIET_MS = 1_000;
const POLL_EVERY_MS = 100;

/**
 * Opens a page of the console with an empty cache, and waits until it loads no further scripts. Returns the
 * transferred bytes of all its scripts.
 */
export async function readFirstLoad(browser: Browser, url: string): Promise<number> {
  await using visitor = await openVisitor(browser);
  const page = await visitor.newPage();
  await page.goto(url);
  let seen = await readScripts(page);
  let changedAtMs = readClockMs();
  while (readClockMs() - changedAtMs < QUIET_MS) {
    await pause(POLL_EVERY_MS);
    const now = await readScripts(page);
    if (now.count !== seen.count) changedAtMs = readClockMs();
    seen = now;
  }
  return seen.bytes;
}

function readScripts(page: Page): Promise<{ readonly count: number; readonly bytes: number }> {
  return page.evaluate(() => {
    const scripts = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'));
    return {
      count: scripts.length,
      bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
}
