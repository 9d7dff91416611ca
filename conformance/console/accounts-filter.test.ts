import { beforeAll, expect, test } from 'vitest';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { unsignedToken } from '../drivers/credentials.ts';

const testBed = openConsoleTestBed();
const PROJECT = 'filtered';
const LIST = `/projects/${PROJECT}/accounts`;
const MAIN_DATABASE = 'demo-default-rtdb';
const DAY_MS = 86_400_000;
const SMALL_PHONE = { ...PHONE, viewport: { width: 360, height: 780 } };

beforeAll(async () => {
  const users = Array.from({ length: 300 }, (_, index) =>
    person(index, {
      emailVerified: index % 2 === 0,
      ...(index % 10 === 0 ? { disabled: true } : {}),
      ...(index % 20 === 0 ? { customAttributes: '{"role":"editor"}' } : {}),
      ...(index % 3 === 0 ? { lastLoginAt: String(Date.now() - 40 * DAY_MS) } : {}),
    }),
  );
  await openAccountProject(testBed, PROJECT, users);
});

test('[C910] filters are chosen by keyboard, combined, shown as chips and kept in the address', async () => {
  const visitor = await testBed.visit(LIST);
  const { page } = visitor;
  await page.getByText('300 in the project').waitFor();
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'Filter accounts' });
  await dialog.getByRole('combobox', { name: 'State' }).press('Enter');
  await page.getByRole('option', { name: 'Disabled' }).press('Enter');
  await dialog.getByLabel('Claim').fill('role=editor');
  await visitor.expectAccessible();
  await visitor.picture('accounts-filter-dialog-light');
  await page.keyboard.press('Enter');
  await page.getByText(/^15 accounts loaded/).waitFor();
  await page.getByText('Examined: 300').waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('state'), searchParams.get('claim')]).toEqual(['disabled', 'role=editor']);
  await visitor.expectAccessible();
  await visitor.picture('accounts-filter-light');
  // A search keeps the filter.
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill('person1');
  await page.getByText(/^5 accounts found/).waitFor();
  await page.reload();
  await page.getByText(/^5 accounts found/).waitFor();
  await page.getByRole('button', { name: 'Clear search' }).press('Enter');
  await page.getByRole('button', { name: /^Remove filter: Claim/ }).press('Enter');
  await page.getByText(/^30 accounts loaded/).waitFor();
  await page.getByRole('button', { name: /^Remove filter: State/ }).press('Enter');
  await page.getByText(/^100 accounts loaded/).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('[C910] a filter by the last sign-in selects accounts, and a filter that matches no account says so', async () => {
  const { page } = await testBed.visit(`${LIST}?seen=not30d&state=verified`);
  await page.getByText(/^50 accounts loaded/).waitFor();
  await page.getByRole('button', { name: 'Remove filter: Last sign-in: More than 30 days ago' }).waitFor();
  await page.goto(`${testBed.server.url}/console${LIST}?seen=30d`);
  await page.getByText('No account matches these filters').waitFor();
});

test.each([
  ['dark', DARK],
  ['phone', SMALL_PHONE],
  ['ar', ARABIC],
])('[C910] filters pass the accessibility rules, %s', async (display, options) => {
  const visitor = await testBed.visit(`${LIST}?state=disabled&claim=role%3Deditor&seen=never`, options);
  const { page } = visitor;
  await page.getByRole('link', { name: /person20@/ }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`accounts-filter-${display}`);
  await page.keyboard.press('f');
  await page.getByRole('dialog').waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`accounts-filter-dialog-${display}`);
});

test('[C911] the page of an account leads to its open connections', async () => {
  const project = await openAccountProject(testBed, 'demo', [
    person(1, { localId: 'ann' }),
    person(2, { localId: 'bob' }),
  ]);
  await testBed.admin('POST', `/api/databases/${MAIN_DATABASE}/rules/publish`, {
    source: '{"rules":{".read":"auth != null"}}',
  });
  const stopped = new AbortController();
  const follow = async (uid: string): Promise<ReadableStreamDefaultReader> => {
    const token = unsignedToken(uid, Math.floor(Date.now() / 1_000), {});
    const { status, body } = await fetch(
      `${testBed.server.url}/news.json?ns=${MAIN_DATABASE}&auth=${token}`,
      { headers: { accept: 'text/event-stream' }, signal: stopped.signal },
    );
    expect(status).toBe(200);
    const reader = body?.getReader();
    if (reader === undefined) throw new Error('the stream has no body');
    await reader.read();
    return reader;
  };
  // Without a reference to the stream, the garbage collector would end it.
  const readers = [await follow('ann'), await follow('bob')];
  const visitor = await testBed.visit(project.account('ann'));
  const { page } = visitor;
  await page
    .getByRole('navigation', { name: 'About this user' })
    .getByRole('link', { name: 'Connections' })
    .press('Enter');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.filter({ hasText: 'ann' }).waitFor();
  expect(await rows.count()).toBe(1);
  await visitor.expectAccessible();
  await page.getByRole('button', { name: /^User: ann\. Show all/ }).press('Enter');
  await rows.filter({ hasText: 'bob' }).waitFor();
  expect(readers).toHaveLength(2);
  stopped.abort();
});
