import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { rowOf, stagedEditsOf, stagedSignOf, typeValue } from '../drivers/console/data-tree.ts';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const PROJECT = 'staging';
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

beforeAll(async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
});

/** Simulates that the user returns to the window, which makes the console request what has changed. */
async function returnToWindow(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
}

test('[C338] staged edits stay when a member becomes a viewer, or must sign in again, and can be applied afterwards', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 1 });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await rowOf(page, 'a').dblclick();
  await page.getByRole('textbox', { name: 'Value of a' }).fill('2');
  await page.keyboard.press('Enter');
  await stagedSignOf(page, 'a', 'changed').waitFor();

  const path = `/api/projects/${PROJECT}/members/${member.uid}`;
  await testBed.admin('PATCH', path, { role: 'viewer' });
  await returnToWindow(page);
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
  await returnToWindow(page);
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  // The current code was used for the previous sign-in.
  await signInMember(page, member, 1);
  await review.getByRole('button', { name: 'Apply 1 edit' }).click();
  await page.getByText('1 edit applied.').waitFor();
  expect(await testBed.admin('GET', `/.json?ns=${PROJECT}`)).toEqual({ a: 2 });
});

/** Returns whether the tab has stored the staged edits. */
function hasStoredEdits(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    Object.values(sessionStorage).some((text) => String(text).includes('only mine')),
  );
}

test('[C346] a removed member who switches to another account leaves no staged edits in the tab', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 'theirs' });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await typeValue(page, 'a', 'only mine');
  await stagedSignOf(page, 'a', 'changed').waitFor();
  expect(await hasStoredEdits(page)).toBe(true);
  await testBed.admin('DELETE', `/api/projects/${PROJECT}/members/${member.uid}`);
  await returnToWindow(page);
  const accepted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Use another account' }).click();
  await accepted;
  await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  await expect.poll(() => hasStoredEdits(page)).toBe(false);
});

test('[C346][C11] a user who signs out leaves no staged edits in the tab, and one who chooses to stay continues with them', async () => {
  await testBed.admin('PUT', `/.json?ns=${PROJECT}`, { a: 'theirs' });
  const member = await makeMember(testBed, PROJECT, { role: 'editor' });
  const { page } = await testBed.visit(`/projects/${PROJECT}/data/${PROJECT}`);
  await signInMember(page, member);
  await page.getByRole('button', { name: /^Stage edits/ }).click();
  await rowOf(page, 'a').dblclick();
  await page.getByRole('textbox', { name: 'Value of a' }).fill('only mine');
  await page.keyboard.press('Enter');
  const sign = stagedSignOf(page, 'a', 'changed');
  await sign.waitFor();
  expect(await hasStoredEdits(page)).toBe(true);
  const signOut = async (answer: 'accept' | 'dismiss') => {
    // A click waits for the page that it leads to, and thereby for the answer to the dialog.
    const answered = page.waitForEvent('dialog').then((dialog) => dialog[answer]());
    await page.getByRole('button', { name: `Account: ${member.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await answered;
    await page.getByRole('heading', { name: `Sign in to ${PROJECT}` }).waitFor();
  };
  await signOut('dismiss');
  expect(await hasStoredEdits(page)).toBe(true);
  // The current code was used for the previous sign-in.
  await signInMember(page, member, 1);
  await sign.waitFor();
  const accepted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  await page.reload();
  await accepted;
  await sign.waitFor();
  // Browsers ask only users who have done something in the page.
  await rowOf(page, 'a').click();
  await signOut('accept');
  await page.waitForURL((url) => url.searchParams.get('project') === PROJECT);
  expect(await hasStoredEdits(page)).toBe(false);
});
