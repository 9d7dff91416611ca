import type { Browser, Page } from 'playwright';
import { pause, readClockMs } from '../measure/clock.ts';
import { openVisitor } from './open-visitor.ts';

const QUIET_MS = 1_000;
const POLL_EVERY_MS = 100;

/** Bytes of script, as sent, that a visitor with an empty cache loads until a view of the console asks for no more. */
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
