import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed, get } = databasesOf(testBed);

test('[C342] a row that another user removes fades out', async () => {
  const name = await seed({ a: 1, gone: 'going', z: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`, { reducedMotion: 'no-preference' });
  await rowOf(page, 'gone').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  // The row fades for a second only, so the test must watch before it begins.
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

test('[C343] the address contains the open nodes, and they are open again after a reload', async () => {
  const name = await seed({ rooms: { lobby: { topic: 'hi' } }, z: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}`);
  await rowOf(page, 'rooms').getByRole('button', { name: 'Expand rooms' }).click();
  await rowOf(page, 'lobby').getByRole('button', { name: 'Expand lobby' }).click();
  await rowOf(page, 'topic').waitFor();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms.rooms/lobby');
  await page.reload();
  await rowOf(page, 'topic').getByText('"hi"').waitFor();
  await rowOf(page, 'rooms').getByRole('button', { name: 'Collapse rooms' }).click();
  await page.waitForURL((url) => url.searchParams.get('open') === 'rooms/lobby');
});

test('[C344] children that are values have a separate column, and are edited there', async () => {
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
