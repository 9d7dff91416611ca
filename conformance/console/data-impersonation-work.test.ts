import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openAccountProject, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import type { ConsoleVisitor } from '../drivers/console/visitor.ts';

const PROJECT = 'hats';
const VIEW = `/projects/${PROJECT}/data/${PROJECT}`;
const testBed = openConsoleTestBed();

const RULES = {
  rules: {
    rooms: {
      $room: {
        '.read': "data.child('members').hasChild(auth.uid)",
        '.write': "data.child('members').hasChild(auth.uid)",
        topic: { '.validate': 'newData.isString()' },
      },
    },
  },
};
const ROOMS = {
  lobby: { members: { ann: true }, topic: 'cats and hats' },
  cellar: { members: { bob: true }, topic: 'hats' },
};

beforeAll(async () => {
  await openAccountProject(testBed, PROJECT, [{ localId: 'ann', email: 'ann@example.com' }]);
  const source = JSON.stringify(RULES);
  await testBed.admin('POST', `/api/databases/${PROJECT}/rules/publish`, { source });
});

beforeEach(async () => {
  await testBed.admin('PUT', `/rooms.json?ns=${PROJECT}`, ROOMS);
});

const read = (path: string): Promise<unknown> => testBed.admin('GET', `${path}.json?ns=${PROJECT}`);

/** Opens a path of the data, viewed as ann. */
function visitAsAnn(path: string): Promise<ConsoleVisitor> {
  return testBed.visit(`${VIEW}${path}?as=account%3Aann`);
}

test('[C406] a search while viewing as another principal finds only what that principal may read', async () => {
  const visitor = await visitAsAnn('');
  const { page } = visitor;
  await page.getByRole('region', { name: 'Viewing as' }).getByText('ann@example.com').waitFor();
  await page.keyboard.press('s');
  await page.keyboard.type('hats');
  await page.keyboard.press('Enter');
  await page.getByText('1 result').waitFor();
  await page.getByText('Only data that the rules let this user read is searched.').waitFor();
  expect(await page.getByRole('link', { name: /topic/ }).allTextContents()).toEqual(['/rooms/lobby/topic']);
  await visitor.expectAccessible();
  await page.getByRole('link', { name: '/rooms/lobby/topic' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/rooms/lobby/topic'));
  expect(new URL(page.url()).searchParams.get('as')).toBe('account:ann');
});

/** Imports a file without replacing existing data. */
async function importFile({ page }: ConsoleVisitor, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByText('The rules allow or deny it as a whole').waitFor();
  const file = { name: 'room.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
}

test('[C407] a file is imported as another principal if the rules allow that principal to write all of it', async () => {
  const visitor = await visitAsAnn('/rooms/lobby');
  const { page } = visitor;
  await importFile(visitor, '{"topic":"dogs","sign":"open"}');
  await page.getByText('room.json imported.').waitFor();
  expect(await read('/rooms/lobby')).toEqual({ members: { ann: true }, sign: 'open', topic: 'dogs' });

  await importFile(visitor, '{"topic":7,"sign":"shut"}');
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByText('The rules deny writing').waitFor();
  await visitor.expectAccessible(dialog);
  await dialog.getByRole('button', { name: 'Why?' }).click();
  const why = page.getByRole('dialog', { name: /Write access below/ });
  await why.getByText('newData.isString()').first().waitFor();
  expect(await read('/rooms/lobby/sign')).toBe('open');
});

test('[C407] a file that is too large for rules to decide on is rejected with the reason', async () => {
  const visitor = await visitAsAnn('/rooms/lobby');
  await importFile(visitor, JSON.stringify({ topic: 'x'.repeat(2 ** 20) }));
  await visitor.page.getByText('an import can have up to 1 MB').waitFor();
  expect(await read('/rooms/lobby/topic')).toBe('cats and hats');
});
