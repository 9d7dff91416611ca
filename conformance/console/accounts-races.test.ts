import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { holdRequests } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

/** Starts to count the requests whose address ends with `end`. The returned function returns their number. */
function countRequests(page: Page, end: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(end)) count++;
  });
  return () => count;
}

test('[C430] text typed into a profile while it is saved stays, as an unsaved change', async () => {
  const { account, find } = await openAccountProject(testBed, 'typing', [person(1)]);
  const { page } = await testBed.visit(account('u0001'));
  const release = await holdRequests(page, '**/accounts:update');
  const profile = page.getByRole('region', { name: 'Profile' });
  const name = profile.getByLabel('Name', { exact: true });
  const phone = profile.getByLabel('Phone number');
  const save = profile.getByRole('button', { name: 'Save', exact: true });
  await name.fill('Ada');
  await Promise.all([page.waitForRequest('**/accounts:update'), save.click()]);
  await name.fill('Ada Byron');
  await phone.fill('+15550001111');
  release();
  await expect.poll(() => save.isEnabled()).toBe(true);
  expect(await find('u0001')).toMatchObject({ displayName: 'Ada' });
  expect([await name.inputValue(), await phone.inputValue()]).toEqual(['Ada Byron', '+15550001111']);
  await save.click();
  await expect
    .poll(() => find('u0001'))
    .toMatchObject({ displayName: 'Ada Byron', phoneNumber: '+15550001111' });
  await expect.poll(() => save.isDisabled()).toBe(true);
});

test('[C430] a saved profile does not show older text again, and shows later changes of other users', async () => {
  const { account, change } = await openAccountProject(testBed, 'shown', [person(1, { displayName: 'Ada' })]);
  const { page } = await testBed.visit(account('u0001'));
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ada Byron');
  const countSaves = countRequests(page, ':update');
  const release = await holdRequests(page, '**/accounts:lookup', () => countSaves() > 0);
  await name.press('Enter');
  await page.getByText('Account changes saved').waitFor();
  expect(await name.inputValue()).toBe('Ada Byron');
  release();
  await change('u0001', { displayName: 'Augusta' });
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
      return name.inputValue();
    })
    .toBe('Augusta');
});

test('[C430] claims typed while others are saved stay, as an unsaved change', async () => {
  const { account, find } = await openAccountProject(testBed, 'claiming', [person(1)]);
  const { page } = await testBed.visit(account('u0001'));
  const release = await holdRequests(page, '**/accounts:update');
  const claims = page.getByRole('region', { name: 'Custom claims' });
  const field = claims.getByLabel('Custom claims (JSON)');
  const save = claims.getByRole('button', { name: 'Save' });
  await field.fill('{"role": "editor"}');
  await Promise.all([page.waitForRequest('**/accounts:update'), save.click()]);
  await field.fill('{"role": "owner"}');
  release();
  await expect.poll(() => save.isEnabled()).toBe(true);
  expect(await find('u0001')).toMatchObject({ customAttributes: '{"role":"editor"}' });
  expect(await field.inputValue()).toBe('{"role": "owner"}');
  await save.click();
  await expect.poll(() => find('u0001')).toMatchObject({ customAttributes: '{"role":"owner"}' });
});

test('[C432] the dialog of a new account stays open until the account is created; a user who goes back in the meantime sees a message, and stays in the list', async () => {
  const { list } = await openAccountProject(testBed, 'slow', [person(1)]);
  const { page } = await testBed.visit(list);
  await page.getByRole('link', { name: 'person1@example.com' }).waitFor();
  const release = await holdRequests(page, '**/slow/accounts', (request) => request.method() === 'POST');
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New account' });
  await dialog.getByLabel('Email').fill('ada@example.com');
  await dialog.getByLabel('Email').press('Enter');
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).search).toBe('?dialog=new');
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  release();
  await page.getByText('Account created').waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console${list}`);
});

test('[C433] a mail or a link is requested once, even if the user presses its button several times', async () => {
  const { account } = await openAccountProject(testBed, 'mailed', [person(1)]);
  const { page } = await testBed.visit(account('u0001'));
  const release = await holdRequests(page, '**/accounts:sendOobCode');
  const count = countRequests(page, ':sendOobCode');
  const send = page.getByRole('button', { name: 'Send reset email' });
  await send.dblclick();
  await page.keyboard.press('Enter');
  expect(await send.getAttribute('aria-disabled')).toBe('true');
  release();
  await page.getByText('Email queued for person1@example.com').waitFor();
  expect(count()).toBe(1);
  await page.getByRole('button', { name: 'Create reset link' }).dblclick();
  await page.getByRole('dialog', { name: 'Password reset link' }).waitFor();
  expect(count()).toBe(2);
});
