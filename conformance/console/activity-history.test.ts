import { expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-default-rtdb';
const LIVE = '/projects/demo/activity/live';

/** Writes until the history of the last hour has points. */
async function writeHistory(): Promise<void> {
  const points = async (): Promise<number> => {
    await testBed.admin('PUT', `/rooms/lobby.json?ns=${DATABASE}`, { atMs: Date.now() });
    const past = await testBed.admin('GET', `/api/databases/${DATABASE}/activity/history?range=hour`);
    return (past as { readonly points: readonly unknown[] }).points.length;
  };
  await expect.poll(points, { timeout: 60_000 }).toBeGreaterThan(1);
}

test('[C681] charts show the period that is chosen by keys and in the address', async () => {
  await writeHistory();
  const visitor = await testBed.visit(LIVE);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Live', pressed: true }).waitFor();
  await page.getByRole('button', { name: '1 hour' }).press('Enter');
  await page.waitForURL('**range=hour*');
  await page.getByText('Most connections').waitFor();
  const writes = page.locator('dt', { hasText: 'Writes' }).locator('xpath=following-sibling::dd');
  await expect.poll(async () => Number(await writes.textContent())).toBeGreaterThan(0);
  await page.getByRole('figure').filter({ hasText: 'Storage' }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture('activity-history');
  await page.getByRole('button', { name: '30 days' }).click();
  await page.waitForURL('**range=month*');
  await page.getByText('Most connections').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: '1 hour', pressed: true }).waitFor();
});

test.each([
  ['phone', PHONE],
  ['dark', DARK],
  ['arabic', ARABIC],
])('[C681] charts and totals fit, and pass the accessibility rules: %s', async (name, options) => {
  await writeHistory();
  const visitor = await testBed.visit(`${LIVE}?range=hour`, options);
  const { page } = visitor;
  await page.locator('dl').waitFor();
  await expect.poll(() => page.getByRole('figure').count()).toBe(5);
  const tooWide = await page.evaluate(() =>
    [...document.querySelectorAll('figure, dl, figure text')]
      .map((part) => part.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth + 1),
  );
  expect(tooWide).toEqual([]);
  await visitor.expectAccessible();
  await visitor.picture(`activity-history-${name}`);
});
