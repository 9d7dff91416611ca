import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../dist');
const ASSETS = join(DIST, 'assets');
const LIMIT_BYTES = 250_000;
/** Views that are loaded when they are first opened, by the beginning of the name of their file. */
const VIEWS = [
  'overview-page',
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

function mustFindScript(beginning: string): string {
  const found = names.find((name) => new RegExp(`^${beginning}-[\\w-]{8}\\.js$`).test(name));
  if (found === undefined) throw new Error(`There is no file ${beginning}-*.js.`);
  return found;
}

/** A file and all that it cannot do without. */
function withImports(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, imported] of scriptOf(name).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    if (imported !== undefined) withImports(imported, seen);
  return seen;
}

const [, entry = ''] = /<script type="module"[^>]* src="\/console\/assets\/([\w.-]+\.js)"/.exec(html) ?? [];

test('[C3] the first view loads less than 250 KB of script, compressed', () => {
  const first = [entry, mustFindScript('shell'), mustFindScript('overview'), mustFindScript('overview-page')];
  const loaded = new Set(first.flatMap((name) => [...withImports(name)]));
  const bytes = [...loaded].reduce((total, name) => total + gzipSync(scriptOf(name), { level: 9 }).length, 0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
  expect(bytes).toBeGreaterThan(LIMIT_BYTES / 3);
});

test.each(VIEWS)('[C3] %s is a file of its own that the frame does without', (view) => {
  expect(withImports(entry)).not.toContain(mustFindScript(view));
});

test('[C4] every script of the page is a file of this origin; what stands in the page is data', () => {
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, text]) => [
    /type="([^"]*)"/.exec(attributes ?? '')?.[1],
    /src="([^"]*)"/.exec(attributes ?? '')?.[1],
    text,
  ]);
  expect(scripts).toEqual(
    expect.arrayContaining([
      ['module', expect.stringMatching(/^\/console\/assets\/index-[\w-]+\.js$/), ''],
      ['application/json', undefined, '"__PARAMETERS__"'],
    ]),
  );
  expect(scripts).toHaveLength(2);
  expect(html).not.toMatch(/<style|\son\w+=|https?:\/\//);
});

test('[C4] every file has a hash of its content in its name', () => {
  expect(names.filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name))).toEqual([]);
});
