import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../src/shell/document.ts';

const DIST = join(import.meta.dirname, '../dist');
const ASSETS = join(DIST, 'assets');
const LIMIT_BYTES = 120 * 1024;
const PAGES = ['action', 'handler', 'sign-in'] as const;

const assets = new Map(readdirSync(ASSETS).map((name) => [name, readFileSync(join(ASSETS, name))]));

function htmlOf(page: string): string {
  return readFileSync(join(DIST, `${page}.html`), 'utf8');
}

/** Matches the files of languages, of which a visit loads at most one. */
const CHOSEN = new RegExp(`^(${LANGUAGES.join('|')})-`);
const FROM_RIGHT = /^stylis-plugin-rtl-/;

/**
 * Returns a file and all files that it loads, directly or not. Of the files that are loaded on demand, includes only those of
 * languages and the one that mirrors the page.
 */
function filesFrom(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, call, other = ''] of (assets.get(name) ?? '')
    .toString()
    .matchAll(/(import\()?["'`]\.\/([\w.-]+\.js)["'`]/g))
    if (call === undefined || CHOSEN.test(other) || FROM_RIGHT.test(other)) filesFrom(other, found);
  return found;
}

function entryOf(page: string): string {
  return /\/assets\/([\w-]+\.js)/.exec(htmlOf(page))?.[1] ?? '';
}

function visitBytes(page: string, language: string): number {
  const loaded = [...filesFrom(entryOf(page))].filter((name) => {
    if (CHOSEN.test(name)) return name.startsWith(`${language}-`);
    return !FROM_RIGHT.test(name) || language === 'ar';
  });
  return loaded.reduce((total, name) => total + gzipSync(assets.get(name) ?? '', { level: 9 }).length, 0);
}

const VISITS = PAGES.flatMap((page) => LANGUAGES.map((language) => [page, language] as const));

test.each(VISITS)(
  '[I174] a visit to the page %s in %s loads less than 120 KB of script, compressed',
  (page, language) => {
    expect(visitBytes(page, language)).toBeLessThan(LIMIT_BYTES);
    expect(visitBytes(page, language)).toBeGreaterThan(LIMIT_BYTES / 2);
  },
);

test.each(PAGES)('[I174] on the page %s, each language is a separate file', (page) => {
  const names = [...filesFrom(entryOf(page))].filter((name) => CHOSEN.test(name));
  expect([...new Set(names.map((name) => name.slice(0, 2)))].sort()).toEqual(LANGUAGES.toSorted());
});

test.each(['action', 'handler', 'sign-in', 'iframe'])(
  '[I173] every script of the page %s is a file of this origin; the page itself contains only data',
  (page) => {
    const html = htmlOf(page);
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, text]) => [
      /type="([^"]*)"/.exec(attributes ?? '')?.[1],
      /src="([^"]*)"/.exec(attributes ?? '')?.[1],
      text,
    ]);
    expect(scripts).toEqual([
      ['module', expect.stringMatching(new RegExp(`^/__/auth/assets/${page}-[\\w-]+\\.js$`)), ''],
      ['application/json', undefined, '"__PARAMETERS__"'],
    ]);
    expect(html).not.toMatch(/<style|\son\w+=|https?:\/\//);
    expect(html).toContain('<meta name="robots" content="noindex, nofollow" />');
  },
);

test('[I844] the script for apps runs before modules do, and defines what the SDK looks for', () => {
  const window: { gapi?: { iframes?: { Iframe?: unknown } } } = {};
  const document = { currentScript: null };
  runInNewContext(readFileSync(join(DIST, 'shim.js'), 'utf8'), { window, document });
  expect(window.gapi?.iframes?.Iframe).toBeTypeOf('function');
});

test('[I175] every file name contains a hash of the content', () => {
  expect([...assets.keys()].filter((name) => !/-[\w-]{8}\.(js|css|woff2)$/.test(name))).toEqual([]);
});

test.each(PAGES)('[I2960] the page %s has one style sheet, which only declares fonts', (page) => {
  const [name = '', ...others] = [...htmlOf(page).matchAll(/href="\/__\/auth\/assets\/([\w.-]+\.css)"/g)].map(
    ([, file]) => file,
  );
  expect(others).toEqual([]);
  expect(htmlOf(page)).toMatch(
    /<link rel="preload" as="font" type="font\/woff2" crossorigin href="\/__\/auth\/assets\/inter-latin-wght-normal-[\w-]{8}\.woff2">/,
  );
  const rules = String(assets.get(name))
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/@font-face\{[^}]*\}/g, '');
  expect(rules.trim()).toBe('');
  const files = [...String(assets.get(name)).matchAll(/url\(\/__\/auth\/assets\/([^)]*)\)/g)].map(
    ([, file]) => file,
  );
  expect(files).toHaveLength(5);
  expect(files.filter((file) => !assets.has(file ?? ''))).toEqual([]);
});

test('[I895] the script for the SDK is classic, requests nothing from other hosts, and has less than 8 KB, compressed', () => {
  const script = readFileSync(join(DIST, 'shim.js'));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(8 * 1024);
  expect(String(script)).not.toMatch(/\bimport\b|\bexport\b|\beval\(/);
});
