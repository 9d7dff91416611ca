import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { Keyboard } from '../drivers/console/keyboard.ts';
import { buttonOf, pressWithoutPause } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();

interface Opened {
  readonly page: Page;
  readonly keys: Keyboard;
  read(path: string): Promise<unknown>;
}

let databaseCount = 0;

/** Writes data to a new database of the running test, and opens a view of it. */
async function open(data: unknown, view = '', options: BrowserContextOptions = {}): Promise<Opened> {
  databaseCount += 1;
  const name = `keys-${databaseCount}`;
  await testBed.admin('PUT', `/.json?ns=${name}`, data);
  const { page } = await testBed.visit(`/projects/demo/data/${name}${view}`, options);
  return { page, keys: new Keyboard(page), read: (path) => testBed.admin('GET', `${path}.json?ns=${name}`) };
}

const tree = (page: Page): Locator => page.getByRole('treegrid');

/** Opens the menu of the first row of the tree, and selects an entry. */
async function selectForFirst({ page, keys }: Opened, entry: string): Promise<Locator> {
  await keys.reach(tree(page));
  await keys.press('Home', 'Shift+F10');
  await keys.choose(entry);
  const dialog = page.getByRole('dialog', { name: entry });
  await dialog.waitFor();
  return dialog;
}

test('[C391] by keyboard, children are added, renamed, duplicated, moved and deleted', async () => {
  const opened = await open({ rooms: { lobby: 'hi' } });
  const { page, keys, read } = opened;
  await keys.reach(tree(page));
  await keys.press('a');
  const adding = page.getByRole('dialog', { name: 'Add child' });
  // The key field has the focus when the dialog opens.
  await adding.waitFor();
  await keys.type('first');
  await keys.fill(adding.getByRole('textbox', { name: 'Value' }), 'text');
  await keys.enter(buttonOf(adding, 'Add'));
  await rowOf(page, 'first').waitFor();

  await selectForFirst(opened, 'Rename');
  await keys.type('again');
  await keys.press('Enter');
  await rowOf(page, 'again').waitFor();

  await selectForFirst(opened, 'Duplicate');
  await keys.press('Enter');
  await rowOf(page, 'again-copy').waitFor();

  await selectForFirst(opened, 'Move');
  await keys.type('/rooms/moved');
  await keys.press('Enter');
  // While a dialog is open, the tree behind it has no role, and would seem to be gone.
  await tree(page).waitFor();
  await rowOf(page, 'again').waitFor({ state: 'detached' });

  await keys.reach(tree(page));
  await keys.press('Home', 'Delete');
  const deleting = page.getByRole('dialog');
  await deleting.getByText('6 bytes in total.').waitFor();
  await keys.enter(buttonOf(deleting, 'Delete'));
  await page.getByText('Deleted.').waitFor();
  expect(await read('/')).toEqual({ rooms: { lobby: 'hi', moved: 'text' } });
});

test('[C391] by keyboard, several nodes are selected and deleted together, and restored', async () => {
  const { page, keys, read } = await open({ a: 1, b: 2, c: 3 });
  await rowOf(page, 'c').waitFor();
  await keys.reach(tree(page));
  await keys.press('Home', 'Shift+ArrowDown', 'Delete');
  const dialog = page.getByRole('dialog', { name: /^Delete these 2 nodes/ });
  await dialog.getByText('2 bytes in total.').waitFor();
  await keys.enter(buttonOf(dialog, 'Delete'));
  await page.getByText('2 nodes deleted.').waitFor();
  expect(await read('/')).toEqual({ c: 3 });
  // The notice stays while it has the focus; the old rows stay until they are read again.
  await keys.reach(buttonOf(page, 'Undo'));
  await rowOf(page, 'a').waitFor({ state: 'detached' });
  await keys.enter(buttonOf(page, 'Undo'));
  await rowOf(page, 'a').waitFor();
  await expect.poll(() => read('/')).toEqual({ a: 1, b: 2, c: 3 });
});

test('[C391] by keyboard, a range of cells is copied and pasted elsewhere', async () => {
  const { page, keys, read } = await open(
    { ada: { age: 36, pin: 1 }, kurt: { age: 71, pin: 2 } },
    '?view=table',
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  const table = page.getByRole('grid');
  await table.getByRole('gridcell', { name: '71' }).waitFor();
  await keys.reach(table);
  await keys.press('Shift+ArrowDown', 'ControlOrMeta+c');
  await page.getByText('Cells copied: 2').waitFor();
  await keys.press('ArrowUp', 'ArrowRight', 'ControlOrMeta+v');
  await page.getByText('2 cells updated.').waitFor();
  expect(await read('/')).toEqual({ ada: { age: 36, pin: 36 }, kurt: { age: 71, pin: 71 } });
});

test('[C391] by keyboard, children are filtered, and found by a search', async () => {
  const { page, keys } = await open({ ada: { age: 36 }, kurt: { age: 71 } });
  await rowOf(page, 'ada').waitFor();
  await keys.press('f');
  await keys.enter(page.getByRole('combobox', { name: 'Order by' }));
  await keys.choose('child');
  await keys.fill(page.getByLabel('Path below each child'), 'age');
  await keys.fill(page.getByLabel('From', { exact: true }), '40');
  await keys.press('Enter');
  const found = page.getByRole('list', { name: 'Matching children' }).getByRole('link');
  await found.getByText('kurt').waitFor();
  expect(await found.allTextContents()).toEqual(['kurt']);
  await keys.enter(buttonOf(page, 'Clear filter'));
  await rowOf(page, 'ada').waitFor();
  await keys.press('s');
  await keys.type('71');
  await keys.press('Enter');
  await keys.enter(page.getByRole('link', { name: '/kurt/age' }));
  await page.getByText('age is a number').waitFor();
});

test('[C403] keys that are pressed at the same time act one after the other', async () => {
  const { page } = await open({ rooms: { lobby: { topic: 'hi' } } }, '/rooms/lobby');
  await rowOf(page, 'topic').waitFor();
  const parameters = (): string => new URL(page.url()).searchParams.toString();
  await pressWithoutPause(page, { key: 'p' }, { key: 'p' });
  expect(parameters()).toBe('');
  await pressWithoutPause(page, { key: 'p' }, { key: 't' });
  expect(parameters()).toBe('live=false&tail=true');
  const up = { key: 'ArrowUp', altKey: true };
  await pressWithoutPause(page, up, up);
  await rowOf(page, 'rooms').waitFor();
});

test('[C391] by keyboard, a node is opened by its path, paused, exported, filled from a file, and edited as JSON', async () => {
  const { page, keys, read } = await open({ rooms: { lobby: { topic: 'hi' } } });
  await rowOf(page, 'rooms').waitFor();
  await keys.press('/');
  await keys.type('/rooms/lobby');
  await keys.press('Enter');
  await rowOf(page, 'topic').waitFor();
  await keys.press('p');
  await page.getByText('Paused', { exact: true }).waitFor();
  await keys.press('p', 'Alt+ArrowUp');
  await rowOf(page, 'lobby').waitFor();
  const download = page.waitForEvent('download');
  await keys.enter(buttonOf(page, 'Export'));
  expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toEqual({
    lobby: { topic: 'hi' },
  });
  await keys.enter(buttonOf(page, 'Import'));
  const dialog = page.getByRole('dialog', { name: 'Import' });
  const chooser = page.waitForEvent('filechooser');
  await keys.enter(buttonOf(dialog, 'Choose JSON or CSV file'));
  const file = { name: 'hall.json', mimeType: 'application/json', buffer: Buffer.from('{"hall": 1}') };
  await (await chooser).setFiles(file);
  await keys.enter(buttonOf(dialog, 'Import'));
  await rowOf(page, 'hall').waitFor();
  expect(await read('/rooms')).toEqual({ hall: 1, lobby: { topic: 'hi' } });
  await keys.reach(buttonOf(page, 'Show as JSON'));
  await keys.press('Space');
  const editor = page.getByRole('textbox', { name: 'JSON of /rooms' });
  await editor.getByText('"hall"').waitFor();
  await keys.fill(editor, '{"hall": 2}');
  await keys.enter(buttonOf(page, 'Save'));
  await page.getByText('rooms saved.').waitFor();
  expect(await read('/rooms')).toEqual({ hall: 2 });
});
