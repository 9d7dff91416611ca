import { expect, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ConsoleVisitor } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();

/** Names that injected code would set in a page, by attack. The visitors of all tests look for them. */
const ATTACKS = {
  'a request to another host': 'void fetch("http://127.0.0.1:9/").catch(() => {})',
  'a script in the page':
    'document.body.append(Object.assign(document.createElement("script"), { text: "1" }))',
  'a script of another host':
    'document.body.append(Object.assign(document.createElement("script"), { src: "//127.0.0.1:9/a.js" }))',
  'a frame of another host':
    'document.body.append(Object.assign(document.createElement("iframe"), { src: "http://127.0.0.1:9/" }))',
  'a style in the page':
    'document.body.append(Object.assign(document.createElement("style"), { textContent: "* { color: red }" }))',
};

test.each(Object.entries(ATTACKS))('[C396] %s is forbidden, and is reported', async (_what, script) => {
  const visitor = await ConsoleVisitor.open(testBed.browser, `${testBed.server.url}/console/projects/demo`);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  expect(visitor.breaches).toEqual([]);
  await visitor.page.evaluate(script);
  await expect.poll(() => visitor.breaches).not.toEqual([]);
  await expect(visitor.close()).rejects.toThrow();
});
