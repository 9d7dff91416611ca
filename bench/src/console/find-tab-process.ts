import type { Page } from 'playwright';
import { readCpuUs } from '../measure/process-usage.ts';

const BUSY_MS = 300;

/**
 * Process id of what runs a page. Chromium tells which processes it has, but not which page is in which: the one that
 * works most while the page is kept busy is it.
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
  if (found === undefined) throw new Error('the browser runs no page');
  return found.pid;
}

async function readRendererPids(page: Page): Promise<readonly number[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page is in no browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}
