import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const PROJECT = 'crowd';
const LIST = `/projects/${PROJECT}/accounts`;

/** More accounts than a search scans before the user presses the button to search all of them. */
const COUNT = 21_000;
const BATCH = 1_000;
const HOUR_MS = 3_600_000;
const SEARCHES = '**/accounts/search?*';

beforeAll(async () => {
  for (let start = 0; start < COUNT; start += BATCH) {
    const users = Array.from({ length: BATCH }, (_, index) =>
      person(start + index, detailsOf(start + index)),
    );
    await openAccountProject(testBed, PROJECT, users);
  }
});

function detailsOf(index: number): Readonly<Record<string, string>> {
  // The times are hours apart: within one hour the most recent sign-in need not be shown first.
  const lastLoginAt = String((COUNT - index) * HOUR_MS);
  const times = { createdAt: String(1_000_000 + index), lastLoginAt };
  if (index === 12_345) return { ...times, displayName: 'Ada Lovelace', phoneNumber: '+15551234567' };
  return { ...times, displayName: `Person ${index}` };
}

function addressesOf(page: Page): Promise<readonly string[]> {
  return page.getByRole('row').getByRole('link').allTextContents();
}

test('[C372] the palette finds accounts by the beginning of an email address, user ID, phone number or name, by keyboard alone', async () => {
  const visitor = await testBed.visit(`/projects/${PROJECT}`);
  const { page } = visitor;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  for (const text of ['lovel', '+1 (555) 123', 'u12345', 'PERSON12345@']) {
    await field.fill(text);
    const option = page.getByRole('option', { name: 'person12345@example.com · Ada Lovelace · u12345' });
    await option.waitFor();
    await page.getByRole('status').getByText('1 result').waitFor();
  }
  await visitor.expectAccessible();
  await visitor.picture('shell-palette-accounts-light');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'person12345@example.com' }).waitFor();
});

test('[C372] the palette drops a request for a text when the user types another', async () => {
  const { page } = await testBed.visit(`/projects/${PROJECT}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('prefix=person1'));
  const requested = page.waitForRequest((request) => request.url().includes('prefix=person1'));
  // This request never receives an answer.
  await page.route('**/accounts?by=any&prefix=person1&*', () => undefined);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('person1');
  await requested;
  await page.getByRole('progressbar', { name: 'Searching accounts' }).waitFor();
  await page.keyboard.type('2345@');
  await page.getByRole('option', { name: /^person12345@example\.com/ }).waitFor();
  await aborted;
});

test('[C191] a search among 21,000 accounts immediately finds those with a field that begins with the text', async () => {
  const { page } = await testBed.visit(LIST);
  const field = page.getByRole('searchbox', { name: 'Search accounts' });
  for (const text of ['love', 'ADA', '+1 555 123', 'u12345', 'person12345']) {
    await field.fill(text);
    await page.getByText('1 account found · 21,000 in the project').waitFor();
    await expect.poll(() => addressesOf(page)).toEqual(['person12345@example.com']);
    // All these searches find the same account, so its row must be gone before the next search.
    await field.fill('no such name');
    await page.getByText('0 accounts found · 21,000 in the project').waitFor();
  }
});

test('[C373] a search through all accounts starts on request, by keyboard, and can be stopped', async () => {
  const visitor = await testBed.visit(`${LIST}?q=velac`);
  const { page } = visitor;
  await page.getByText('Nothing').or(page.getByText('No matching accounts')).first().waitFor();
  await visitor.expectAccessible();
  await page.route(SEARCHES, () => undefined);
  await page.getByRole('button', { name: 'Search all 21,000 accounts' }).press('Enter');
  await page.getByRole('progressbar', { name: 'Searching all accounts' }).waitFor();
  expect(new URL(page.url()).searchParams.get('in')).toBe('all');
  await visitor.expectAccessible();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.getByText('0 accounts found · 0 scanned · stopped').waitFor();
  await page.unroute(SEARCHES);
  await page.getByRole('button', { name: 'Search all accounts again' }).press('Enter');
  await page.getByText('1 account found · 21,000 scanned · 21,000 in the project').waitFor();
  expect(await addressesOf(page)).toEqual(['person12345@example.com']);
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill('erso');
  await page.getByRole('button', { name: 'Search all 21,000 accounts' }).waitFor();
});

test('[C373] actions on found accounts update the search result', async () => {
  const { page } = await testBed.visit(`${LIST}?q=rson+20998&in=all`);
  await page.getByText('1 account found · 21,000 scanned').waitFor();
  await page.getByRole('row', { name: 'person20998@example.com' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete 1 account?' });
  await dialog.getByRole('textbox').fill('1');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await dialog.getByText('1 account updated').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('0 accounts found · 20,999 scanned').waitFor();
  await openAccountProject(testBed, PROJECT, [person(20_998, detailsOf(20_998))]);
});

test('[C373] a search ends when it has found 500 accounts, and says so', async () => {
  const { page } = await testBed.visit(`${LIST}?q=example.com&in=all`);
  await page.getByText(/^500 accounts found · 500 scanned · first 500 shown/).waitFor();
});

test.each([
  ['created', ['person20999@example.com', 'person20998@example.com']],
  ['seen', ['person0@example.com', 'person1@example.com']],
])(
  '[C374] in the order %s, the latest accounts are first, and more accounts are loaded when the user scrolls',
  async (order, first) => {
    const { page } = await testBed.visit(`${LIST}?order=${order}`);
    await page.getByText('100 accounts loaded · 21,000 in the project').waitFor();
    expect((await addressesOf(page)).slice(0, 2)).toEqual(first);
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    await page.getByText('200 accounts loaded').waitFor();
  },
);

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C373] a search passes the accessibility rules (%s)', async (name, context) => {
  const visitor = await testBed.visit(`${LIST}?q=person12345`, context);
  await visitor.page.getByText('person12345@example.com').first().waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`accounts-search-${name}`);
});
