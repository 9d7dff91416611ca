import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FRAME_KEYS } from '../src/layout/frame-keys.ts';

const CONSOLE = join(import.meta.dirname, '..');
const product = readFileSync(join(CONSOLE, '../../docs/product.md'), 'utf8');
const router = readFileSync(join(CONSOLE, 'src/router.tsx'), 'utf8');
const areas = readFileSync(join(CONSOLE, 'src/routes/areas.ts'), 'utf8');

/** Rows of the table below a heading, each as the texts of its cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = product.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
}

function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const rows = rowsBelow('Screens and routes');

test('[C9] every route of a project is in the table of screens, and no other', () => {
  const inRouter = [...router.matchAll(/path: '([a-z][^']*)'/g)].map(([, path]) => path);
  expect(rows.flatMap(([, routes = '']) => codeIn(routes))).toEqual(inRouter);
  expect(inRouter).not.toEqual([]);
});

test('[C9] every area has its keys there', () => {
  const list = /AREAS = \[([^\]]*)\]/.exec(areas)?.[1] ?? '';
  const names = [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  expect(rows.map(([area = '']) => codeIn(area)[0])).toEqual(names);
  const table = /AREA_KEYS[^{]*\{([^}]*)\}/.exec(areas)?.[1] ?? '';
  const keys = [...table.matchAll(/: '(\w)'/g)].map(([, key]) => `g ${key}`);
  expect(rows.map(([, , cell = '']) => codeIn(cell)[0])).toEqual(keys);
});

test('[C9] keys of the frame are told', () => {
  const told = codeIn(product);
  for (const keys of Object.values(FRAME_KEYS)) expect(told).toContain(keys);
});
