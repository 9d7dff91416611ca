import { expect, test } from 'vitest';
import { lineOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed, get } = databasesOf(testBed);

test('[C342] a row that others remove fades before it is gone', async () => {
  const name = await seed({ a: 1, gone: 'going', z: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`, { reducedMotion: 'no-preference' });
  await lineOf(page, 'gone').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  // It fades for a second only: who looks must look before it begins.
  const watch = await page.evaluateHandle(() => ({
    faded: new Promise<string>((resolve) => {
      new MutationObserver(() => {
        const row = document.querySelector('.row.gone');
        if (row !== null) resolve(`${row.textContent} ${getComputedStyle(row).animationName}`);
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    }),
  }));
  await testBed.admin('DELETE', `/gone.json?ns=${name}`);
  expect(await watch.evaluate(({ faded }) => faded)).toContain('gone"going"');
  await page.locator('.row.gone').waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(2);
});

test('[C343] which nodes are open is in the address, and there for whoever opens it', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi' } }, z: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await lineOf(page, 'rooms').getByRole('button', { name: 'Expand rooms' }).click();
  await lineOf(page, 'lobby').getByRole('button', { name: 'Expand lobby' }).click();
  await lineOf(page, 'topic').waitFor();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms.rooms/lobby');
  await page.reload();
  await lineOf(page, 'topic').getByText('"hi"').waitFor();
  await lineOf(page, 'rooms').getByRole('button', { name: 'Collapse rooms' }).click();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms/lobby');
});

test('[C344] children that are values have a column of their own, in which they are edited', async () => {
  const name = await seed({ ada: { age: 36 }, n: 'text' });
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=table`);
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Key', 'Value', 'age']);
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'n', exact: true }) });
  expect(await row.getByRole('gridcell').allInnerTexts()).toEqual(['text', '']);
  await row.getByRole('gridcell').first().dblclick();
  await page.getByRole('textbox', { name: 'Value of n' }).fill('other');
  await page.keyboard.press('Enter');
  await row.getByRole('gridcell', { name: 'other', exact: true }).waitFor();
  expect(await get(name, '/n')).toBe('other');
});
