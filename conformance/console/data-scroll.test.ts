import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const { seed, put } = databasesOf(testBed);

const keyAt = (index: number): string => `k${String(index).padStart(7, '0')}`;

function numbers(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [keyAt(index), index]));
}

const VIEWS = [
  { view: 'tree', role: 'treegrid', headRows: 0, first: 'Home', last: 'End' },
  { view: 'table', role: 'grid', headRows: 1, first: 'Control+Home', last: 'Control+End' },
] as const;

type View = (typeof VIEWS)[number];

/** Opens a node, and waits until the page knows the number of its children. */
async function openNode(
  { view, role, headRows }: View,
  path: string,
  count: number,
  query = '',
): Promise<Page> {
  const { page } = await testBed.visit(`/projects/demo/data/${path}?view=${view}${query}`);
  const grid = page.getByRole(role);
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(count + headRows));
  return page;
}

/** Resolves when the row of the child with this index is on the screen, and its row number matches. */
async function seeRow(page: Page, { role, headRows }: View, index: number): Promise<void> {
  const row = page
    .getByRole(role)
    .getByRole('row')
    .filter({ has: page.getByText(keyAt(index), { exact: true }) });
  await expect.poll(() => row.getAttribute('aria-rowindex')).toBe(String(index + 1 + headRows));
  const grid = await page.getByRole(role).boundingBox();
  const box = await row.boundingBox();
  if (grid === null || box === null) throw new Error('The row is not on the page.');
  expect(box.y).toBeGreaterThanOrEqual(grid.y - box.height);
  expect(box.y + box.height).toBeLessThanOrEqual(grid.y + grid.height + box.height);
}

/** Moves the scroll bar to a share of its height, as a user drags it. */
async function drag(page: Page, { role }: View, share: number): Promise<void> {
  await page.getByRole(role).evaluate((element, to) => {
    element.scrollTop = to * (element.scrollHeight - element.clientHeight);
  }, share);
}

/** Returns the index of the first child on the screen, once all rows are loaded. */
async function readFirst(page: Page, { role }: View): Promise<number> {
  const grid = page.getByRole(role);
  await expect.poll(() => grid.locator('.unread').count()).toBe(0);
  return grid.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('.row')]
      .filter((row) => row.getBoundingClientRect().bottom > top + 1)
      .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
    return Number(/k(\d{7})/.exec(rows.map((row) => row.textContent).join(' '))?.[1]);
  });
}

for (const one of VIEWS) {
  test(`[C620][C622] the ${one.view} reaches any of 3,000 children by the scroll bar and by keys`, async () => {
    const name = await seed({ list: numbers(3_000) });
    const page = await openNode(one, `${name}/list`, 3_000);
    await drag(page, one, 0.5);
    await expect.poll(() => readFirst(page, one)).toBeGreaterThan(1_400);
    expect(await readFirst(page, one)).toBeLessThan(1_600);
    await page.getByRole(one.role).focus();
    await page.keyboard.press(one.last);
    await seeRow(page, one, 2_999);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await expect.poll(() => readFirst(page, one)).toBeLessThan(2_985);
    await page.keyboard.press(one.first);
    await seeRow(page, one, 0);
  });
}

/** At 36 pixels each, these rows are higher than an element may be. */
const HIGH = 240_000;

test('[C620][C621] tree and table reach any of 240,000 children, and follow what is added', {
  timeout: 300_000,
}, async () => {
  const name = await seed({ list: numbers(HIGH) });
  for (const one of VIEWS) {
    const page = await openNode(one, `${name}/list`, HIGH);
    for (const share of [0.5, 0.9]) {
      await drag(page, one, share);
      await expect.poll(() => readFirst(page, one)).toBeGreaterThan(share * HIGH - 3_000);
      expect(await readFirst(page, one)).toBeLessThan(share * HIGH + 3_000);
    }
    await page.getByRole(one.role).focus();
    await page.keyboard.press(one.last);
    await seeRow(page, one, HIGH - 1);
    await put(name, `/list/${keyAt(HIGH)}`, 1);
    await expect.poll(() => page.getByText(keyAt(HIGH), { exact: true }).count()).toBe(1);
    await put(name, `/list/${keyAt(HIGH)}`, null);
    await page.keyboard.press(one.first);
    await seeRow(page, one, 0);
  }
});

test('[C620] a link to a key shows the key at its place', async () => {
  const name = await seed({ list: numbers(3_000) });
  const [one] = VIEWS;
  const page = await openNode(one, `${name}/list`, 3_000, `&from=${keyAt(2_000)}`);
  await seeRow(page, one, 2_000);
});

for (const one of VIEWS) {
  test(`[C55][C513] the ${one.view} has the children of a large node counted once, and the number follows writes`, async () => {
    const name = await seed({ list: numbers(3_000) });
    const { page } = await testBed.visit('/projects/demo/settings/members');
    const counts: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      const [, kind] = /\/(count|outline)$/.exec(pathname) ?? [];
      if (kind !== undefined && searchParams.get('path') === '/list') counts.push(kind);
    });
    // A paused tree has the children counted only when it opens. A table cannot be paused.
    const address = `projects/demo/data/${name}/list?view=${one.view}&live=false`;
    await page.goto(`${testBed.server.url}/console/${address}`);
    await page.getByText('3,000 children').waitFor();
    const grid = page.getByRole(one.role);
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(3_000 + one.headRows));
    expect(counts.slice(0, one.view === 'tree' ? undefined : 1)).toEqual(['outline']);
    if (one.view === 'tree') await page.getByRole('button', { name: 'Pause' }).click();
    await put(name, `/list/${keyAt(3_000)}`, 1);
    await page.getByText('3,001 children').waitFor();
  });
}
