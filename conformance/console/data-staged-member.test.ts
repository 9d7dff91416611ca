import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { lineOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/console/data-tree.ts';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const PROJECT = 'staging';
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

beforeAll(async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
});

/** Whoever comes back to the window finds out what has changed. */
async function comesBack(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
}

test('[C338] staged edits stay when a member may only look, or has to sign in again, and are applied afterwards', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 1 });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await lineOf(page, 'a').dblclick();
  await page.getByRole('textbox', { name: 'Value of a' }).fill('2');
  await page.keyboard.press('Enter');
  await stagedSignOf(page, 'a', 'changed').waitFor();

  const path = `/api/projects/${PROJECT}/members/${member.uid}`;
  await testBed.admin('PATCH', path, { role: 'viewer' });
  await comesBack(page);
  await page.getByText('You now have read-only access.').waitFor();
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const review = stagedEditsOf(page);
  await review.getByText('Ask an owner').waitFor();
  expect(await review.getByRole('button', { name: 'Apply 1 edit' }).isDisabled()).toBe(true);

  await testBed.admin('PATCH', path, { role: 'editor' });
  const validSince = String(Math.floor(Date.now() / 1_000) + 1);
  await testBed.admin('POST', `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`, {
    localId: member.uid,
    validSince,
  });
  await comesBack(page);
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  // The present code was used to sign in before.
  await signInMember(page, member, 1);
  await review.getByRole('button', { name: 'Apply 1 edit' }).click();
  await page.getByText('1 edit applied.').waitFor();
  expect(await testBed.admin('GET', `/.json?ns=${PROJECT}`)).toEqual({ a: 2 });
});

/** Has the tab kept what was staged? */
function keepsMine(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    Object.values(sessionStorage).some((text) => String(text).includes('only mine')),
  );
}

test('[C346] who is no member any more, and makes room for another account, leaves no staged edits either', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 'theirs' });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await typeValue(page, 'a', 'only mine');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  expect(await keepsMine(page)).toBe(true);
  await testBed.admin('DELETE', `/api/projects/${PROJECT}/members/${member.uid}`);
  await comesBack(page);
  const accepted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Use another account' }).click();
  await accepted;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await expect.poll(() => keepsMine(page)).toBe(false);
});

test('[C346][C11] who signs out leaves no staged edits in the tab, and who stays when asked goes on with them', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 'theirs' });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await lineOf(page, 'a').dblclick();
  await page.getByRole('textbox', { name: 'Value of a' }).fill('only mine');
  await page.keyboard.press('Enter');
  const sign = stagedSignOf(page, 'a', 'changed');
  await sign.waitFor();
  expect(await keepsMine(page)).toBe(true);
  const signOut = async (answer: 'accept' | 'dismiss') => {
    // A click waits for the page that it leads to, and so for the answer.
    const answered = page.waitForEvent('dialog').then((dialog) => dialog[answer]());
    await page.getByRole('button', { name: `Account: ${member.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await answered;
    await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  };
  await signOut('dismiss');
  expect(await keepsMine(page)).toBe(true);
  // The present code was used before.
  await signInMember(page, member, 1);
  await sign.waitFor();
  const accepted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  await page.reload();
  await accepted;
  await sign.waitFor();
  // Browsers ask those alone who have done something in the page.
  await lineOf(page, 'a').click();
  await signOut('accept');
  await page.waitForURL((url) => url.searchParams.get('project') === PROJECT);
  expect(await keepsMine(page)).toBe(false);
});
