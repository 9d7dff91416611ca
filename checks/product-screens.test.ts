import { expect, test } from 'vitest';
import { constantValue } from './constant-value.ts';
import { codesIn, findRows } from './document-table.ts';
import { declarationsOf } from './module-declarations.ts';
import { readFiles, readText } from './repository.ts';

const CONSOLE = 'packages/console/src';
const FEATURES = `${CONSOLE}/features/`;
const PRODUCT = 'docs/product.md';
/** Areas with sections, each with the file and the constant that list the sections. */
const SECTIONS = [
  ['rules', 'features/rules/rules-page.tsx', 'RULES_TABS'],
  ['sign-in', 'features/settings/sign-in/sign-in-settings-page.tsx', 'SECTIONS'],
  ['activity', 'features/activity/activity-page.tsx', 'SECTIONS'],
  ['settings', 'features/settings/project/project-page.tsx', 'SECTIONS'],
] as const;
/** Folders of the areas whose folder is not named like the area. */
const FOLDERS: Readonly<Record<string, string>> = {
  data: 'database',
  'sign-in': 'settings/sign-in',
  settings: 'settings/project',
};

const product = readText(PRODUCT);
const rows = findRows({ path: PRODUCT, text: product });
const features = readFiles((path) => path.startsWith(FEATURES) && /(?<!\.test)\.tsx?$/.test(path));
const areas = constantOf('shell/areas.ts', 'AREAS');

function constantOf(file: string, name: string): readonly string[] {
  return Object.values(Object(constantValue(declarationsOf(`${CONSOLE}/${file}`), name))).map(String);
}

/** Returns, for each row with `column`, its area and the codes in that column. */
function codesOf(column: string): readonly (readonly [area: string, codes: readonly string[]])[] {
  return rows
    .filter(({ cells }) => column in cells && 'area' in cells)
    .map(({ cells }) => [codesIn(cells['area'] ?? '')[0] ?? '', codesIn(cells[column] ?? '')]);
}

test('[C9] the table of screens has every route of a project, and no other', () => {
  const views: unknown = constantValue(declarationsOf(`${CONSOLE}/app/views.ts`), 'VIEWS');
  const routes = Object.values(Object(views)).map((view) => Object(view).path);
  const documented = codesOf('routes below `/projects/:project`').flatMap(([, codes]) => codes);
  expect(['', ...documented]).toEqual(routes);
});

test('[C9] the table of screens has the keys of every area', () => {
  const keys = constantOf('shell/areas.ts', 'AREA_KEYS');
  expect(codesOf('keys')).toEqual(areas.map((area, index) => [area, [`g ${keys[index]}`]]));
});

test('[C9] the keys of the frame are documented', () => {
  expect(codesIn(product)).toEqual(
    expect.arrayContaining([...constantOf('shell/frame-commands.ts', 'FRAME_KEYS')]),
  );
});

test.each(SECTIONS)('[C9] the sections of %s are documented in their order', (area, file, name) => {
  const documented = codesOf('sections').find(([of]) => of === area)?.[1] ?? [];
  expect(documented.filter((code) => !code.startsWith(':'))).toEqual(constantOf(file, name));
});

test('[C9] the sections that only owners see are documented', () => {
  const documented = codesOf('shown only to owners').filter(([, codes]) => codes.length > 0);
  expect(documented).toEqual([
    ['settings', constantOf('features/settings/project/project-page.tsx', 'FOR_OWNERS')],
  ]);
});

/** Returns the names of the URL parameters that a file reads. */
function parametersIn(path: string, text: string): readonly string[] {
  const read = [...text.matchAll(/\b(?:parameters|search)\.(?:get|has)\((?:'([a-z]+)'|([A-Z_]+))\)/g)];
  const named = read.map(
    ([, name, constant = '']) => name ?? String(constantValue(declarationsOf(path), constant)),
  );
  return text.includes('search.get(name)')
    ? [...named, ...constantOf('features/activity/audit/search.ts', 'AUDIT_FILTERS')]
    : named;
}

test.each(areas)('[C9] the parameters of %s are documented, and no others', (area) => {
  const folder = `${FEATURES}${FOLDERS[area] ?? area}/`;
  const inCode = features
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ path, text }) => parametersIn(path, text));
  const documented = codesOf('parameters').filter(([of]) => of === area);
  expect(new Set(documented.flatMap(([, codes]) => codes))).toEqual(new Set(inCode));
});

test.each(areas)('[C9] the documentation has pictures of %s', (area) => {
  const row = rows.find(({ cells }) => 'pictures' in cells && codesIn(cells['area'] ?? '')[0] === area);
  expect(row?.cells['pictures']).toMatch(/\(screens\/[\w-]+\.png\)/);
});
