import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../dist');
const ASSETS = join(DIST, 'assets');
const LIMIT_BYTES = 250_000;
const MAX_SCRIPTS = 20;
/** Maximum size of the start script, uncompressed. */
const START_BYTES = 30_000;
/** File name prefixes of views that load when they are first opened. */
const VIEWS = [
  'first-view',
  'first-steps',
  'choose-database',
  'data-page',
  'rules-page',
  'accounts-page',
  'sign-in-settings-page',
  'activity-page',
  'project-page',
];

const html = readFileSync(join(DIST, 'index.html'), 'utf8');
const names = readdirSync(ASSETS);

function scriptOf(name: string): string {
  return readFileSync(join(ASSETS, name), 'utf8');
}

function requireScript(beginning: string): string {
  const found = names.find((name) => new RegExp(`^${beginning}-[\\w-]{8}\\.js$`).test(name));
  if (found === undefined) throw new Error(`Missing file ${beginning}-*.js.`);
  return found;
}

/** Returns a file and all its static imports. */
function withImports(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, imported] of scriptOf(name).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    if (imported !== undefined) withImports(imported, seen);
  return seen;
}

const [, entry = ''] = /<script type="module"[^>]* src="\/console\/assets\/([\w.-]+\.js)"/.exec(html) ?? [];

/** Returns the files that a view loads in development mode, in English, with an empty cache. */
function firstLoadOf(...views: readonly string[]): readonly string[] {
  const parts = ['console', 'shell', ...views].map(requireScript);
  return [...new Set([entry, ...parts].flatMap((name) => [...withImports(name)]))];
}

const FIRST_LOADS = [
  ['of the overview', firstLoadOf('overview', 'first-view')],
  ['of a new project', firstLoadOf('overview', 'first-view', 'first-steps')],
  ['of the explorer', firstLoadOf('data', 'data-page')],
] as const;

test.each(FIRST_LOADS.slice(0, 2))('[C3] the first load %s is less than 250 KB, compressed', (_of, names) => {
  const bytes = names.reduce((total, name) => total + gzipSync(scriptOf(name), { level: 9 }).length, 0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
  expect(bytes).toBeGreaterThan(LIMIT_BYTES / 3);
});

test.each(FIRST_LOADS)('[C313] the first load %s takes few files', (_of, names) => {
  expect(names.length).toBeLessThanOrEqual(MAX_SCRIPTS);
});

test('[C310] the start script is small, and the page preloads the script that renders the console', () => {
  const start = [...withImports(entry)];
  expect(start).not.toContain(requireScript('console'));
  expect(start.reduce((total, name) => total + scriptOf(name).length, 0)).toBeLessThan(START_BYTES);
  expect(html).toContain(
    `<link rel="modulepreload" crossorigin href="/console/assets/${requireScript('console')}">`,
  );
});

test.each(VIEWS)('[C3] %s is a separate file that the frame does not import', (view) => {
  expect(withImports(requireScript('console'))).not.toContain(requireScript(view));
});

test('[C4] every script of the page is a file of this origin; the page itself contains only data', () => {
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, text]) => [
    /type="([^"]*)"/.exec(attributes ?? '')?.[1],
    /src="([^"]*)"/.exec(attributes ?? '')?.[1],
    text,
  ]);
  expect(scripts).toEqual(
    expect.arrayContaining([
      ['module', expect.stringMatching(/^\/console\/assets\/start-[\w-]+\.js$/), ''],
      ['application/json', undefined, '"__PARAMETERS__"'],
    ]),
  );
  expect(scripts).toHaveLength(2);
  expect(html).not.toMatch(/<style|\son\w+=|https?:\/\//);
});

test('[C4] every file name contains a hash of the content', () => {
  expect(names.filter((name) => !/-[\w-]{8}\.(js|css|svg|woff2)$/.test(name))).toEqual([]);
});

test('[C940] the fonts for English, with those of code, have less than 80 KB, and all fonts less than 250 KB', () => {
  const sizes = names
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => ({ name, bytes: readFileSync(join(ASSETS, name)).length }));
  const bytesOf = (isMeant: (name: string) => boolean) =>
    sizes.filter(({ name }) => isMeant(name)).reduce((total, { bytes }) => total + bytes, 0);
  const english = bytesOf((name) => name.includes('-latin-wght'));
  expect(english).toBeGreaterThan(40_000);
  expect(english).toBeLessThan(80_000);
  expect(bytesOf(() => true)).toBeLessThan(250_000);
});
