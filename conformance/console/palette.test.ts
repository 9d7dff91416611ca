import { expect, test } from 'vitest';
import { holdRequests } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

test('[C20] text that the user types before the palette is loaded runs no command', async () => {
  const { page } = await testBed.visit('/projects/demo/accounts');
  await page.getByRole('button', { name: 'New account' }).waitFor();
  const script = '**/assets/command-palette-*.js';
  const requested = page.waitForRequest(script);
  const release = await holdRequests(page, script);
  await page.keyboard.press('ControlOrMeta+k');
  await requested;
  await page.keyboard.press('n');
  release();
  await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
});
