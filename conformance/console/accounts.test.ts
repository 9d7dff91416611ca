import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const PASSWORD = 'correct horse battery';

test('[C190] accounts are listed page by page while the user scrolls, with their total number', async () => {
  const { list } = await openAccountProject(
    testBed,
    'scrolled',
    Array.from({ length: 250 }, (_, index) => person(index)),
  );
  const visitor = await testBed.visit(list);
  const { page } = visitor;
  await page.getByText('100 accounts loaded · 250 in the project').waitFor();
  await page.getByRole('row', { name: 'person0@example.com' }).focus();
  for (const loaded of ['200 accounts loaded', '250 accounts loaded']) {
    await page.keyboard.press('End');
    await page.getByText(loaded).waitFor();
  }
  await page.keyboard.press('End');
  await page.getByRole('link', { name: 'person249@example.com' }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture('accounts-list-light');
});

test('[C190] order and dialogs are in the address', async () => {
  const users = [
    person(1, { createdAt: '1000' }),
    person(2, { createdAt: '3000' }),
    person(3, { createdAt: '2000' }),
  ];
  const { list } = await openAccountProject(testBed, 'ordered', users);
  const { page } = await testBed.visit(`${list}?order=created`);
  await page.getByRole('row').nth(3).waitFor();
  const names = await page.getByRole('row').getByRole('link').allTextContents();
  expect(names).toEqual(['person2@example.com', 'person3@example.com', 'person1@example.com']);
  await page.getByRole('button', { name: 'New account' }).click();
  await page.waitForURL('**order=created&dialog=new');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('[C515] each problem of a new account is shown at its field, and the account is created once all are fixed', async () => {
  const { list, find } = await openAccountProject(testBed, 'fields', [person(1)]);
  const visitor = await testBed.visit(`${list}?dialog=new`);
  const dialog = visitor.page.getByRole('dialog');
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  await field('Email').fill('nobody');
  await field('Password').fill('short');
  await field('Phone number').fill('12');
  await field('User ID').fill('made');
  await dialog.getByRole('button', { name: 'Create' }).click();
  for (const [name, problem] of [
    ['Email', 'Enter a valid email.'],
    ['Password', 'Use at least 6 characters.'],
    ['Phone number', 'Enter a phone number with country code'],
  ] as const) {
    await dialog.getByText(problem).waitFor();
    expect(await field(name).getAttribute('aria-invalid')).toBe('true');
  }
  await visitor.expectAccessible();
  await field('Password').fill('long enough');
  await field('Phone number').fill('+44 20 7946 0000');
  await field('Email').fill('person1@example.com');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Another account uses this email.').waitFor();
  expect(await field('Email').getAttribute('aria-invalid')).toBe('true');
  await field('Email').fill('made@example.com');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await visitor.page.getByRole('alert').getByText('Account created').waitFor();
  expect(await find('made')).toMatchObject({ email: 'made@example.com', phoneNumber: '+442079460000' });
});

test('[C191] a search finds accounts by email address, phone number, user ID and parts of the name', async () => {
  const { list } = await openAccountProject(testBed, 'sought', [
    person(1, { displayName: 'Grace Hopper' }),
    person(2, { phoneNumber: '+15551234567' }),
    { localId: 'robot', displayName: 'Marvin' },
  ]);
  const { page } = await testBed.visit(list);
  const field = page.getByRole('searchbox', { name: 'Search accounts' });
  for (const [text, found] of [
    ['PERSON1', 'person1@example.com'],
    ['+1 (555) 123-4567', 'person2@example.com'],
    ['rob', 'Marvin'],
    ['hopp', 'person1@example.com'],
  ] as const) {
    await field.fill(text);
    await page.getByText('1 account found · 3 scanned · 3 in the project').waitFor();
    await page.getByRole('row').getByRole('link', { name: found }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe(text);
  }
  await field.fill('no such account');
  await page.getByText('No matching accounts').waitFor();
});

test('[C192][C197] accounts are selected, disabled and deleted with the keyboard alone', async () => {
  const { list, find } = await openAccountProject(
    testBed,
    'bulk',
    Array.from({ length: 6 }, (_, index) => person(index)),
  );
  const visitor = await testBed.visit(list);
  const { page } = visitor;
  await page.getByRole('row', { name: 'person0@example.com' }).focus();
  for (const key of ['Space', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('person2@');
  await page.keyboard.press('Space');
  await page.getByText('2 accounts selected').waitFor();
  await page.getByRole('button', { name: 'Disable', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Disable 2 accounts?' });
  await dialog.getByText('person2@example.com').waitFor();
  await visitor.expectAccessible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.getByText('2 accounts updated').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await find('u0002')).toMatchObject({ disabled: true });

  await page.getByRole('row', { name: 'person4@example.com' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByText('6 accounts selected').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).focus();
  await page.keyboard.press('Enter');
  const erasing = page.getByRole('dialog', { name: 'Delete 6 accounts?' });
  const erase = erasing.getByRole('button', { name: 'Delete' });
  expect(await erase.isDisabled()).toBe(true);
  await page.keyboard.type('6');
  await erase.focus();
  await page.keyboard.press('Enter');
  await erasing.getByText('6 accounts updated').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No accounts yet').waitFor();
});

test('[C192] Shift selects the accounts between two rows, by keys and by mouse, and selects no text', async () => {
  const people = Array.from({ length: 6 }, (_, index) => person(index));
  const { list } = await openAccountProject(testBed, 'ranges', people);
  const { page } = await testBed.visit(list);
  const row = (index: number) => page.getByRole('row', { name: `person${index}@example.com` });
  await row(0).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 accounts selected').waitFor();
  await row(5).click({ modifiers: ['Shift'] });
  await page.getByText('6 accounts selected').waitFor();
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
});

test('[C192] Enter opens the account of the row that has the focus', async () => {
  const { list } = await openAccountProject(testBed, 'opened', [person(1), person(2)]);
  const { page } = await testBed.visit(list);
  await page.getByRole('row', { name: 'person1@example.com' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'person2@example.com' }).waitFor();
});

test('[C193] an account is created; if another account has the email address, the dialog shows an error and keeps the typed text', async () => {
  const { list } = await openAccountProject(testBed, 'made', [person(1)]);
  const visitor = await testBed.visit(list);
  const { page } = visitor;
  await page.getByRole('link', { name: 'person1@example.com' }).waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New account' });
  await dialog.getByLabel('Email').fill('person1@example.com');
  await dialog.getByLabel('Name').fill('Ada');
  await page.keyboard.press('Enter');
  await dialog.getByText('Another account uses this email.').waitFor();
  await visitor.expectAccessible();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Ada');
  await dialog.getByLabel('Email').fill('ada@example.com');
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
});

test('[C200][C201] accounts are exported, analyzed, and imported elsewhere with their passwords', async () => {
  const made = await testBed.admin('POST', '/v1/projects/source/accounts', {
    email: 'eve@example.com',
    password: PASSWORD,
  });
  const { localId } = made as { readonly localId: string };
  const { page } = await testBed.visit('/projects/source/accounts?dialog=export');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByText('Users can keep their passwords').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('source-accounts.json');
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ users: [{ localId, email: 'eve@example.com' }] });

  const visitor = await testBed.visit('/projects/target/accounts?dialog=import');
  const dialog = visitor.page.getByRole('dialog', { name: 'Import accounts' });
  const broken = text.replace('"users": [', '"users": [{"email":"nameless@example.com"},');
  await dialog.getByLabel('Choose file').setInputFiles({
    name: 'accounts.json',
    mimeType: 'application/json',
    buffer: Buffer.from(broken),
  });
  await dialog.getByText('1 account has no user ID').waitFor();
  await dialog.getByText('2 accounts · 1 with a password').waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Import 2 accounts' }).click();
  await dialog.getByText('1 account imported').waitFor();
  await dialog.getByText('localId is missing').waitFor();
  const lookup = await testBed.admin('POST', '/v1/projects/target/accounts:lookup', {
    email: ['eve@example.com'],
  });
  expect(lookup).toMatchObject({ users: [{ localId, passwordHash: expect.any(String) }] });
});

test('[C200] a file that has no accounts is rejected with the reason', async () => {
  const { page } = await testBed.visit('/projects/target/accounts?dialog=import');
  await page.getByLabel('Choose file').setInputFiles({
    name: 'accounts.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"users": [{"localId": oops}]}'),
  });
  await page.getByText('Account 1 in the file is not a valid JSON object').waitFor();
});

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C190] the list and an account pass the accessibility rules (%s)', async (name, context) => {
  await openAccountProject(testBed, 'pictured', [
    person(1, { displayName: 'Ada Lovelace' }),
    person(2, { disabled: true }),
  ]);
  const visitor = await testBed.visit('/projects/pictured/accounts', context);
  await visitor.page.getByText('person2@example.com').waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`accounts-list-${name}`);
  await visitor.page.getByRole('link', { name: 'person2@example.com' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'person2@example.com' }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture(`accounts-account-${name}`);
});
