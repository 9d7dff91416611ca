import { expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { rulesEditor, TRIED } from '../drivers/console/page.ts';
import { databasesOf, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

const { seed, get } = databasesOf(testBed);

const TEXTS = {
  lines: 'first line\nsecond line\n\nlast',
  windows: ' a\r\nb\tc ',
  hidden: 'a\0b\u0085c\\n',
  half: 'a\ud83d',
};

const VIEWS = [
  ['tree', '', {}],
  ['table', '?view=table', {}],
  ['phone', '', PHONE],
] as const;

test.each(VIEWS)(
  '[C510] in the %s, a text keeps every character when one is added',
  async (_name, rest, options) => {
    const name = await seed(rest === '' ? TEXTS : { config: TEXTS });
    // The value that the database stores for each text.
    const stored = (await get(name)) as Readonly<Record<string, unknown>>;
    const before = (rest === '' ? stored : stored['config']) as Readonly<Record<string, string>>;
    const visitor = await testBed.visit(`/projects/demo/data/${name}${rest}`, options);
    const { page } = visitor;
    for (const [key, text] of Object.entries(before)) {
      const cell =
        rest === ''
          ? rowOf(page, key)
          : page
              .getByRole('row')
              .filter({ has: page.getByRole('rowheader', { name: 'config' }) })
              .locator(`[data-column="${Object.keys(before).sort().indexOf(key)}"]`);
      await cell.dblclick();
      const field = page.getByRole('textbox', { name: `Value of ${key}` });
      await field.waitFor();
      await visitor.expectAccessible();
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
      const path = rest === '' ? `/${key}` : `/config/${key}`;
      expect(await get(name, path)).toBe(`${text}!`);
    }
  },
);

test('[C510] rules with carriage returns keep them when a space is added', async () => {
  const name = await seed({ a: 1 });
  const source = '{\r\n  "rules": {\r\n    ".read": true\n  }\r\n}\r\n';
  await testBed.admin('POST', `/api/databases/${name}/rules/publish`, { source });
  const { page } = await testBed.visit(`/projects/demo/rules/${name}/edit`);
  await rulesEditor(page).focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(' ');
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(true);
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  await dialog.getByText(TRIED).first().waitFor();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 2 published.').waitFor();
  const response = await fetch(`${testBed.server.url}/.settings/rules.json?ns=${name}`, {
    headers: { authorization: 'Bearer owner' },
  });
  expect(await response.text()).toBe(`${source} `);
});

test('[C522] the JSON editor and the import reject a number that would be rounded, and say which', async () => {
  const name = await seed({ a: 1 });
  const { page } = await testBed.visit(`/projects/demo/data/${name}?view=json`);
  const editor = page.getByRole('textbox', { name: /^JSON/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('{"a":0.12345678901234567891}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('0.12345678901234567891').waitFor();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'new.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"b":123456789012345678901}'),
  });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('123456789012345678901: The database cannot store all digits').waitFor();
  expect(await get(name)).toEqual({ a: 1 });
});
