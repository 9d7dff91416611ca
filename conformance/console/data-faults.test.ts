import type { Page, Request } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { hasFocus } from '../drivers/console/keyboard.ts';
import { holdRequests, pointAtUndo, twoFrames } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { type ConsoleVisitor, PHONE } from '../drivers/console/visitor.ts';
import { findReservedPort, openDataDir, startServer } from '../drivers/server-process.ts';

const testBed = openConsoleTestBed();

/** Writes data, as JSON text, to a new database of the running test, and returns its name. */
async function seed(text: string): Promise<string> {
  const name = `faults-${crypto.randomUUID().slice(0, 8)}`;
  await send('PUT', name, '/', text);
  return name;
}

/** Sends JSON text unchanged, because JavaScript numbers cannot hold all digits. */
async function send(method: string, name: string, path: string, text?: string): Promise<string> {
  const response = await fetch(`${testBed.server.url}${path}.json?ns=${name}`, {
    method,
    headers: ADMIN,
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

/** Credential of the administrator, who may do everything. */
const ADMIN = { authorization: 'Bearer owner' };

const read = (name: string, path: string): Promise<string> => send('GET', name, path);

function open(name: string, rest = '', options = {}): Promise<ConsoleVisitor> {
  return testBed.visit(`/projects/demo/data/${name}${rest}`, options);
}

const isWrite = (request: Request): boolean => request.method() === 'POST';

const fieldOf = (page: Page, key: string) => page.getByRole('textbox', { name: `Value of ${key}` });

test('[C73] writes of other users during an edit do not change the typed text', async () => {
  const name = await seed('{"users": {"kurt": {"age": 71, "city": "Brno"}}, "title": "old"}');
  const { page } = await open(name);
  await rowOf(page, 'title').dblclick();
  await fieldOf(page, 'title').waitFor();
  await page.keyboard.type('first ');
  await send('PUT', name, '/title', '"theirs"');
  await page.getByText('Changed by another user').waitFor();
  await page.keyboard.type('second');
  expect(await fieldOf(page, 'title').inputValue()).toBe('first second');
  await page.goto(`${testBed.server.url}/console/projects/demo/data/${name}/users?view=table`);
  await page.getByRole('gridcell', { name: 'Brno' }).dblclick();
  await fieldOf(page, 'city').waitFor();
  await page.keyboard.type('first ');
  await send('PATCH', name, '/users', '{"ada": {"age": 36, "city": "London"}, "kurt/age": 72}');
  await page.getByRole('gridcell', { name: '72' }).waitFor();
  await page.keyboard.type('second');
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'kurt' }) });
  expect(await row.getByRole('textbox', { name: 'Value of city' }).inputValue()).toBe('first second');
});

test('[C73] an edit stays on the screen when another user removes its row, and is saved only after a confirmation', async () => {
  const name = await seed('{"a": 1, "gone": "old"}');
  const { page } = await open(name);
  await rowOf(page, 'gone').dblclick();
  await fieldOf(page, 'gone').waitFor();
  await page.keyboard.type('mine');
  await send('DELETE', name, '/gone');
  await rowOf(page, 'gone').waitFor({ state: 'detached' });
  expect(await fieldOf(page, 'gone').inputValue()).toBe('mine');
  await fieldOf(page, 'gone').press('Enter');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await rowOf(page, 'gone').getByText('"mine"').waitFor();
});

test('[C74] an unsaved edit is not discarded for another one', async () => {
  const name = await seed('{"a": "one", "b": "two"}');
  const { page } = await open(name);
  await rowOf(page, 'a').dblclick();
  await fieldOf(page, 'a').waitFor();
  await page.keyboard.type('mine');
  await rowOf(page, 'b').dblclick();
  await page.getByText('Save or cancel your edit of a first.').waitFor();
  expect(await fieldOf(page, 'a').inputValue()).toBe('mine');
});

test('[C75] typed JSON is kept when the node can no longer be read, and while it is saved', async () => {
  const name = await seed('{"node": {"a": 1}}');
  const { page } = await open(name, '/node?view=json');
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{"a": 5}');
  await send('PUT', name, '/node/b', JSON.stringify('x'.repeat(1_100_000)));
  await page.getByText('Another user changed this node').waitFor();
  expect(await editor.textContent()).toBe('{"a": 5}');
  await send('DELETE', name, '/node/b');
  const release = await holdRequests(page, '**/changes', isWrite);
  await page.keyboard.press('ControlOrMeta+s');
  await page.keyboard.press('End');
  await page.keyboard.type(' ');
  release();
  await page.getByText('node saved.').waitFor();
  // The message appears before the saved node is read again; that node must not replace the typed text.
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
  expect(await editor.textContent()).toBe('{"a": 5} ');
  expect(await read(name, '/node')).toBe('{"a":5}');
});

test('[C76] integers of 64 bits are shown and saved with all digits, in every view', async () => {
  const name = await seed(
    '{"n": {"big": 9007199254740993, "neg": -9223372036854775808, "max": 1e308, "s": "42"}}',
  );
  const { page } = await open(name, '/n');
  await rowOf(page, 'big').getByText('9007199254740993').waitFor();
  await rowOf(page, 'max').getByText('1e+308').waitFor();
  await rowOf(page, 's').getByText('"42"').waitFor();
  await rowOf(page, 'neg').dblclick();
  expect(await fieldOf(page, 'neg').inputValue()).toBe('-9223372036854775808');
  await fieldOf(page, 'neg').fill('9007199254740995');
  await page.keyboard.press('Enter');
  await rowOf(page, 'neg').getByText('9007199254740995').waitFor();
  await page.goto(`${testBed.server.url}/console/projects/demo/data/${name}?view=table`);
  await page.getByRole('gridcell', { name: '9007199254740993' }).waitFor();
  await page.goto(`${testBed.server.url}/console/projects/demo/data/${name}/n?view=json`);
  const editor = page.getByRole('textbox', { name: 'JSON of /n' });
  await editor.getByText('9007199254740993').waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('"x": 1,');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('n saved.').waitFor();
  expect(await read(name, '/n')).toBe(
    '{"big":9007199254740993,"max":1e+308,"neg":9007199254740995,"s":"42","x":1}',
  );
});

test('[C77] a node is not deleted, and the page says so, if another user writes below it during the deletion', async () => {
  const name = await seed('{"gone": {"a": 1}, "z": 1}');
  const { page } = await open(name);
  await rowOf(page, 'gone').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByText('in total').waitFor();
  await page.route('**/changes', async (route) => {
    await send('PUT', name, '/gone/b', '2');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Another user changed this, or the path already has data').waitFor();
  expect(await read(name, '/gone')).toBe('{"a":1,"b":2}');
});

test('[C78] the rows of a large open node are shown after the user scrolls through it', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => [`k${10_000 + index}`, index] as const);
  const name = await seed(JSON.stringify({ big: Object.fromEntries(many), last: 1 }));
  const { page } = await open(name);
  await rowOf(page, 'big').getByRole('button').first().click();
  await rowOf(page, 'k10000').waitFor();
  const grid = page.getByRole('treegrid');
  await grid.focus();
  // Each key press loads the next page.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End');
        return rowOf(page, 'k12999').count();
      },
      { timeout: 80_000 },
    )
    .toBe(1);
  await page.keyboard.press('Home');
  await rowOf(page, 'big').waitFor();
  await rowOf(page, 'k10000').waitFor();
});

test('[C81] JSON with an invalid key is not saved, and the page names the key', async () => {
  const name = await seed('{"node": {"a": 1}}');
  const { page } = await open(name, '/node?view=json');
  const editor = page.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('{"a": {"b.c": 2}}');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('alert').getByText('"b.c"').waitFor();
  expect(await read(name, '/node')).toBe('{"a":1}');
});

test('[C82] text typed before the server was killed is saved after the server starts again', async () => {
  const data = await openDataDir();
  onTestFinished(() => data.remove());
  const first = await startServer({ dataDir: data.path, port: await findReservedPort() });
  const put = (url: string, path: string, body: string) =>
    fetch(`${url}${path}.json?ns=killed`, { method: 'PUT', headers: ADMIN, body });
  await put(first.url, '/', '{"title": "old", "node": {"a": 1}}');
  const context = await testBed.browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  const [tree, json] = [await context.newPage(), await context.newPage()];
  await tree.goto(`${first.url}/console/projects/demo/data/killed`);
  await rowOf(tree, 'title').dblclick();
  await fieldOf(tree, 'title').fill('mine');
  await json.goto(`${first.url}/console/projects/demo/data/killed/node?view=json`);
  const editor = json.getByRole('textbox', { name: 'JSON of /node' });
  await editor.getByText('"a"').waitFor();
  await editor.click();
  await json.keyboard.press('ControlOrMeta+a');
  await json.keyboard.insertText('{"a": 2}');
  await first.kill();
  await json.keyboard.press('ControlOrMeta+s');
  await json.getByText('Waiting for the server').waitFor();
  await tree.bringToFront();
  await fieldOf(tree, 'title').press('Enter');
  await tree.getByText('Your edit is saved when the server responds').waitFor();
  const second = await startServer({ dataDir: data.path, port: first.port });
  onTestFinished(() => second.stop());
  await rowOf(tree, 'title').getByText('"mine"').waitFor();
  await json.bringToFront();
  await json.getByText('Live', { exact: true }).waitFor();
  const now = await fetch(`${second.url}/.json?ns=killed`, { headers: ADMIN });
  expect(await now.json()).toEqual({ title: 'mine', node: { a: 2 } });
});

test('[C83] after two consecutive changes, the undo button reverts the second', async () => {
  const name = await seed('{"a": 1, "b": 2, "c": 3}');
  const { page } = await open(name);
  for (const key of ['a', 'b']) {
    await rowOf(page, key).click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByText('in total').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    // While a dialog is open, the rows behind it have no role, and would seem to be gone.
    await page.getByRole('treegrid').waitFor();
    await pointAtUndo(page);
    await rowOf(page, key).waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'b').waitFor();
  await expect.poll(() => read(name, '/')).toBe('{"b":2,"c":3}');
});

test('[C84] a page that follows the end of a node shows hundreds of new children, also when the user scrolls up', async () => {
  const { name, page } = await followHundreds();
  // This row is above the screen and is not drawn yet.
  const above = rowOf(page, 'k3070');
  expect(await above.count()).toBe(0);
  await page.getByRole('treegrid').hover();
  await page.mouse.wheel(0, -400);
  await page.waitForURL((url) => !url.searchParams.has('tail'));
  await send('PUT', name, '/k4', '1');
  await above.waitFor();
});

test('[C423] when a user stops following the end of a node, the scroll position stays', async () => {
  const { page } = await followHundreds();
  const before = await rowOf(page, 'k3099').boundingBox();
  await page.getByRole('button', { name: 'Follow newest children' }).click();
  await page.waitForURL((url) => !url.searchParams.has('tail'));
  // The rows before the followed ones become reachable by scrolling.
  await page.locator('[role="treegrid"][aria-rowcount="201"]').waitFor();
  // If drawing changes the scroll position, the page draws once more, in the next frames.
  await twoFrames(page);
  expect((await rowOf(page, 'k3099').boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('[C424] the rows of a table are shown wherever the user scrolls, even if the first response is late', async () => {
  const children = Array.from({ length: 300 }, (_, index) => [`k${1_000 + index}`, { n: index }] as const);
  const name = await seed(JSON.stringify({ list: Object.fromEntries(children) }));
  const { page } = await open(name, '/list');
  await rowOf(page, 'k1000').waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('rowheader', { name: 'k1000' }).waitFor();
  await page.getByRole('grid').hover();
  const scroll = async (): Promise<number> => {
    await page.mouse.wheel(0, 2_000);
    return page.getByRole('rowheader', { name: 'k1299' }).count();
  };
  await expect.poll(scroll, { timeout: 80_000 }).toBe(1);
});

/** Opens a page that follows the end of a node while 300 children are added; the page holds the last 200. */
async function followHundreds(): Promise<{ readonly name: string; readonly page: Page }> {
  const name = await seed('{"k0": 0}');
  const { page } = await open(name, '?tail=true');
  await rowOf(page, 'k0').waitFor();
  for (const round of [1, 2, 3]) {
    const added = Array.from({ length: 100 }, (_, index) => [`k${round * 1_000 + index}`, index] as const);
    await send('PATCH', name, '/', JSON.stringify(Object.fromEntries(added)));
    // When the page holds 200 rows, each round removes as many rows as it adds.
    await rowOf(page, `k${round}099`).waitFor();
  }
  return { name, page };
}

test('[C85] cells stay selected when rows are added before them, so that a paste changes the selected rows', async () => {
  const name = await seed('{"kurt": {"age": 71}, "lena": {"age": 5}}');
  const { page } = await open(name, '?view=table', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('gridcell', { name: '71' }).click();
  await send('PUT', name, '/ada', '{"age": 36}');
  await page.getByRole('gridcell', { name: '36' }).waitFor();
  await page.evaluate(() => navigator.clipboard.writeText('72'));
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('gridcell', { name: '72' }).waitFor();
  expect(await read(name, '/')).toBe('{"ada":{"age":36},"kurt":{"age":72},"lena":{"age":5}}');
});

for (const [view, cell] of [
  ['table', 'gridcell'],
  ['tree', 'row'],
] as const)
  test(`[C427] if the user moves on while a value is saved, the focus stays where the user is: ${view}`, async () => {
    const name = await seed('{"kurt": {"age": 71}}');
    const { page } = await open(name, view === 'table' ? '?view=table' : '/kurt');
    await page.getByRole(cell, { name: '71' }).dblclick();
    await fieldOf(page, 'age').fill('72');
    const release = await holdRequests(page, '**/changes', isWrite);
    await page.keyboard.press('Enter');
    const other = page.getByRole('button', { name: 'Show as JSON' });
    await other.focus();
    release();
    await fieldOf(page, 'age').waitFor({ state: 'detached' });
    await page.getByText('age saved.').waitFor();
    // The focus could move after the page is drawn without the field.
    await twoFrames(page);
    expect(await hasFocus(other)).toBe(true);
  });

test('[C86] a child is not added below a value, because the value would be lost', async () => {
  const name = await seed('{"v": "text"}');
  const { page } = await open(name, '/v');
  await page.getByText('v is a string').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Key', exact: true }).fill('child');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('This would overwrite a value at this path or a parent').waitFor();
  expect(await read(name, '/')).toBe('{"v":"text"}');
});

test('[C79] a JSON file that is not valid is rejected with the reason, and another can be chosen', async () => {
  const name = await seed('{"a": 1}');
  const { page } = await open(name);
  await rowOf(page, 'a').waitFor();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{"b": 1,'], 'bro\u202eken.json', { type: 'application/json' }));
    return transfer;
  });
  await page.getByRole('treegrid').dispatchEvent('drop', { dataTransfer: data });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'bro⟨U+202E⟩ken.json' }).waitFor();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('alert').waitFor();
  const whole = { name: 'whole.json', mimeType: 'application/json', buffer: Buffer.from('{"b": 2}') };
  await page.locator('input[type=file]').setInputFiles(whole);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await rowOf(page, 'b').getByText('2').waitFor();
  expect(await read(name, '/')).toBe('{"a":1,"b":2}');
});

test('[C80] on phones, heading and buttons share a line, and keys that fit are not cut', async () => {
  const name = await seed(
    JSON.stringify({
      rooms: Object.fromEntries([...'abcdefgh'].map((key) => [key, { title: 'a long preview of a room' }])),
    }),
  );
  const { page } = await open(name, '', PHONE);
  const key = rowOf(page, 'rooms').locator('bdi.key');
  await key.waitFor();
  expect(await key.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const heading = await page.getByRole('heading', { name: 'Data' }).boundingBox();
  const button = await page.getByRole('button', { name: 'Import' }).boundingBox();
  expect(
    Math.abs((heading?.y ?? 0) + (heading?.height ?? 0) / 2 - (button?.y ?? 0) - (button?.height ?? 0) / 2),
  ).toBeLessThan(8);
});
