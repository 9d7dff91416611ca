import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../src/shell/document.ts';

const DIST = join(import.meta.dirname, '../dist');
const ASSETS = join(DIST, 'assets');
const LIMIT_BYTES = 120 * 1024;

const html = readFileSync(join(DIST, 'action.html'), 'utf8');
const assets = new Map(readdirSync(ASSETS).map((name) => [name, readFileSync(join(ASSETS, name))]));

/** Language files, of which a visit loads at most one. */
const CHOSEN = new RegExp(`^(${LANGUAGES.join('|')})-`);
const FROM_RIGHT = /^stylis-plugin-rtl-/;

function visitBytes(language: string): number {
  const loaded = [...assets].filter(([name]) => {
    if (CHOSEN.test(name)) return name.startsWith(`${language}-`);
    return !FROM_RIGHT.test(name) || language === 'ar';
  });
  return loaded.reduce((total, [, bytes]) => total + gzipSync(bytes, { level: 9 }).length, 0);
}

test.each(LANGUAGES)('[I174] a visit in %s loads less than 120 KB of script, compressed', (language) => {
  expect(visitBytes(language)).toBeLessThan(LIMIT_BYTES);
  expect(visitBytes(language)).toBeGreaterThan(LIMIT_BYTES / 2);
});

test('[I174] each language except English is a separate file', () => {
  const names = [...assets.keys()].filter((name) => CHOSEN.test(name));
  expect(names.map((name) => name.slice(0, 2)).sort()).toEqual(
    LANGUAGES.filter((one) => one !== 'en').toSorted(),
  );
});

test('[I173] every script of the page is a file of this origin; the page itself contains only data', () => {
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, text]) => [
    /type="([^"]*)"/.exec(attributes ?? '')?.[1],
    /src="([^"]*)"/.exec(attributes ?? '')?.[1],
    text,
  ]);
  expect(scripts).toEqual([
    ['module', expect.stringMatching(/^\/__\/auth\/assets\/action-[\w-]+\.js$/), ''],
    ['application/json', undefined, '"__PARAMETERS__"'],
  ]);
  expect(html).not.toMatch(/<style|\son\w+=|https?:\/\//);
});

test('[I173] search engines do not index the page', () => {
  expect(html).toContain('<meta name="robots" content="noindex, nofollow" />');
});

test('[I175] every file name contains a hash of the content', () => {
  expect([...assets.keys()].filter((name) => !/-[\w-]{8}\.js$/.test(name))).toEqual([]);
});
