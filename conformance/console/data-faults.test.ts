import type { Page, Request } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { lineOf } from '../drivers/console/data-tree.ts';
import { hasFocus } from '../drivers/console/keyboard.ts';
import { holdRequests, pointAtUndo, twoFrames } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { type ConsoleVisitor, PHONE } from '../drivers/console/visitor.ts';
import { findReservedPort, openDataDir, startServer } from '../drivers/server-process.ts';

const testBed = openConsoleTestBed();

/** Puts data, as JSON text, into a database of the running test's own, and returns its name. */
async function seed(text: string): Promise<string> {
  const name = `faults-${crypto.randomUUID().slice(0, 8)}`;
  await send('PUT', name, '/', text);
  return name;
}

/** JSON text as it is, with digits that numbers of JavaScript have no room for. */
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

/** Whoever may do everything. */
const ADMIN = { authorization: 'Bearer owner' };

const read = (name: string, path: string): Promise<string> => send('GET', name, path);

function open(name: string, rest = '', options = {}): Promise<ConsoleVisitor> {
  return testBed.visit(`/projects/demo/data/${name}${rest}`, options);
}

const isWrite = (request: Request): boolean => request.method() === 'PUT';

const fieldOf = (page: Page, key: string) => page.getByRole('textbox', { name: `Value of ${key}` });

test('[C73] what others write beside an edit does not touch what is being typed', async () => {
  const name = await seed('{"users": {"kurt": {"age": 71, "city": "Brno"}}, "title": "old"}');
  const { page } = await open(name);
  await lineOf(page, 'title').dblclick();
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

test('[C73] an edit whose line is removed by others stays on the screen, and asks before it is saved', async () => {
  const name = await seed('{"a": 1, "gone": "old"}');
  const { page, ...visitor } = await open(name);
  void visitor;
  await lineOf(page, 'gone').dblclick();
  await fieldOf(page, 'gone').waitFor();
  await page.keyboard.type('mine');
  await send('DELETE', name, '/gone');
  await lineOf(page, 'gone').waitFor({ state: 'detached' });
  expect(await fieldOf(page, 'gone').inputValue()).toBe('mine');
  await fieldOf(page, 'gone').press('Enter');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await lineOf(page, 'gone').getByText('"mine"').waitFor();
});

test('[C74] an edit that is not saved is not given up for another', async () => {
  const name = await seed('{"a": "one", "b": "two"}');
  const { page } = await open(name);
  await lineOf(page, 'a').dblclick();
  await fieldOf(page, 'a').waitFor();
  await page.keyboard.type('mine');
  await lineOf(page, 'b').dblclick();
  await page.getByText('Save or cancel your edit of a first.').waitFor();
  expect(await fieldOf(page, 'a').inputValue()).toBe('mine');
});

test('[C75] JSON that was typed stays when the node cannot be read any more, and while it is saved', async () => {
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
  const letGo = await holdRequests(page, '**/node.json*', isWrite);
  await page.keyboard.press('ControlOrMeta+s');
  await page.keyboard.press('End');
  await page.keyboard.type(' ');
  letGo();
  await page.getByText('node saved.').waitFor();
  // It is told before the node as it was saved is there, which could take the place of the text.
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
  expect(await editor.textContent()).toBe('{"a": 5} ');
  expect(await read(name, '/node')).toBe('{"a":5}');
});

test('[C76] digits of 64 bits are shown and saved as they are, in every view', async () => {
  const name = await seed(
    '{"n": {"big": 9007199254740993, "neg": -9223372036854775808, "max": 1e308, "s": "42"}}',
  );
  const { page } = await open(name, '/n');
  await lineOf(page, 'big').getByText('9007199254740993').waitFor();
  await lineOf(page, 'max').getByText('1e+308').waitFor();
  await lineOf(page, 's').getByText('"42"').waitFor();
  await lineOf(page, 'neg').dblclick();
  expect(await fieldOf(page, 'neg').inputValue()).toBe('-9223372036854775808');
  await fieldOf(page, 'neg').fill('9007199254740995');
  await page.keyboard.press('Enter');
  await lineOf(page, 'neg').getByText('9007199254740995').waitFor();
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

test('[C77] a node below which others write while it is deleted stays, and whoever deletes is told', async () => {
  const name = await seed('{"gone": {"a": 1}, "z": 1}');
  const { page } = await open(name);
  await lineOf(page, 'gone').click();
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

test('[C78] the lines of a large node that was opened below another are there after scrolling through it', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => [`k${10_000 + index}`, index] as const);
  const name = await seed(JSON.stringify({ big: Object.fromEntries(many), last: 1 }));
  const { page } = await open(name);
  await lineOf(page, 'big').getByRole('button').first().click();
  await lineOf(page, 'k10000').waitFor();
  const grid = page.getByRole('treegrid');
  await grid.focus();
  // Each time, the next page comes to be known.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End');
        return lineOf(page, 'k12999').count();
      },
      { timeout: 80_000 },
    )
    .toBe(1);
  await page.keyboard.press('Home');
  await lineOf(page, 'big').waitFor();
  await lineOf(page, 'k10000').waitFor();
});

test('[C81] a key that can be none is named before anything is sent', async () => {
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

test('[C82] what was typed when the server was killed is saved once when it is back', async () => {
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
  await lineOf(tree, 'title').dblclick();
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
  await lineOf(tree, 'title').getByText('"mine"').waitFor();
  await json.bringToFront();
  await json.getByText('Live', { exact: true }).waitFor();
  const now = await fetch(`${second.url}/.json?ns=killed`, { headers: ADMIN });
  expect(await now.json()).toEqual({ title: 'mine', node: { a: 2 } });
});

test('[C83] of two changes one after the other, the undo on the screen is that of the second', async () => {
  const name = await seed('{"a": 1, "b": 2, "c": 3}');
  const { page } = await open(name);
  for (const key of ['a', 'b']) {
    await lineOf(page, key).click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByText('in total').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    // What is behind a dialog has no role, and would seem to be gone.
    await page.getByRole('treegrid').waitFor();
    await pointAtUndo(page);
    await lineOf(page, key).waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await lineOf(page, 'b').waitFor();
  await expect.poll(() => read(name, '/')).toBe('{"b":2,"c":3}');
});

test('[C84] hundreds of children that come at the end are followed there', async () => {
  const { name, page } = await followHundreds();
  // A line above the screen that is not drawn yet.
  const above = lineOf(page, 'k3070');
  expect(await above.count()).toBe(0);
  await page.getByRole('treegrid').hover();
  await page.mouse.wheel(0, -400);
  await page.waitForURL((url) => !url.searchParams.has('tail'));
  await send('PUT', name, '/k4', '1');
  await above.waitFor();
});

test('[C423] whoever follows the end no longer stays where they are', async () => {
  const { page } = await followHundreds();
  const before = await lineOf(page, 'k3099').boundingBox();
  await page.getByRole('button', { name: 'Follow newest children' }).click();
  await page.waitForURL((url) => !url.searchParams.has('tail'));
  // What comes before the lines that were followed is a line that can be scrolled to.
  await page.locator('[role="treegrid"][aria-rowcount="201"]').waitFor();
  // What is scrolled by a drawing is told, and drawn once more, in the frames after it.
  await twoFrames(page);
  expect((await lineOf(page, 'k3099').boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('[C424] the lines of a table are there wherever it is scrolled to, though it came before its first answer', async () => {
  const children = Array.from({ length: 300 }, (_, index) => [`k${1_000 + index}`, { n: index }] as const);
  const name = await seed(JSON.stringify({ list: Object.fromEntries(children) }));
  const { page } = await open(name, '/list');
  await lineOf(page, 'k1000').waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('rowheader', { name: 'k1000' }).waitFor();
  await page.getByRole('grid').hover();
  const scroll = async (): Promise<number> => {
    await page.mouse.wheel(0, 2_000);
    return page.getByRole('rowheader', { name: 'k1299' }).count();
  };
  await expect.poll(scroll, { timeout: 80_000 }).toBe(1);
});

/** A page that follows the end of a node while three times a hundred children come there, of which it holds the last 200. */
async function followHundreds(): Promise<{ readonly name: string; readonly page: Page }> {
  const name = await seed('{"k0": 0}');
  const { page } = await open(name, '?tail=true');
  await lineOf(page, 'k0').waitFor();
  for (const round of [1, 2, 3]) {
    const added = Array.from({ length: 100 }, (_, index) => [`k${round * 1_000 + index}`, index] as const);
    await send('PATCH', name, '/', JSON.stringify(Object.fromEntries(added)));
    // In the end as many lines leave the page as come to it.
    await lineOf(page, `k${round}099`).waitFor();
  }
  return { name, page };
}

test('[C85] cells stay chosen when rows come before them, so that a paste is for the rows that were chosen', async () => {
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
  test(`[C427] who has gone on elsewhere while a value is saved is left there: ${view}`, async () => {
    const name = await seed('{"kurt": {"age": 71}}');
    const { page } = await open(name, view === 'table' ? '?view=table' : '/kurt');
    await page.getByRole(cell, { name: '71' }).dblclick();
    await fieldOf(page, 'age').fill('72');
    const letGo = await holdRequests(page, '**/age.json*', isWrite);
    await page.keyboard.press('Enter');
    const other = page.getByRole('button', { name: 'Show as JSON' });
    await other.focus();
    letGo();
    await fieldOf(page, 'age').waitFor({ state: 'detached' });
    await page.getByText('age saved.').waitFor();
    // What could take the focus does so after the drawing without the field.
    await twoFrames(page);
    expect(await hasFocus(other)).toBe(true);
  });

test('[C86] a child is not put below a value, which would be lost', async () => {
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

test('[C79] a JSON file that is broken is refused with its reason, and can be chosen again', async () => {
  const name = await seed('{"a": 1}');
  const { page } = await open(name);
  await lineOf(page, 'a').waitFor();
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
  await lineOf(page, 'b').getByText('2').waitFor();
  expect(await read(name, '/')).toBe('{"a":1,"b":2}');
});

test('[C80] on phones the heading stands beside its buttons, and keys are whole where there is room', async () => {
  const name = await seed(
    JSON.stringify({
      rooms: Object.fromEntries([...'abcdefgh'].map((key) => [key, { title: 'a long preview of a room' }])),
    }),
  );
  const { page } = await open(name, '', PHONE);
  const key = lineOf(page, 'rooms').locator('bdi.key');
  await key.waitFor();
  expect(await key.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const heading = await page.getByRole('heading', { name: 'Data' }).boundingBox();
  const button = await page.getByRole('button', { name: 'Import' }).boundingBox();
  expect(
    Math.abs((heading?.y ?? 0) + (heading?.height ?? 0) / 2 - (button?.y ?? 0) - (button?.height ?? 0) / 2),
  ).toBeLessThan(8);
});
