import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../http/response.ts';
import { ASSET_HEADERS, type BuiltPages, PARAMETERS_MARK, readBuiltPages } from '../http/static-pages.ts';
import { type ActionPageParameters, renderActionPage } from './action-page.ts';

const TEMPLATE = `<p>before</p><script type="application/json" id="parameters">${PARAMETERS_MARK}</script><p>after</p>`;
const BUILT: BuiltPages = { html: TEMPLATE, assets: new Map() };
const NONCE = 'bm9uY2U=';

function link(oobCode: string): ActionPageParameters {
  const page = { kind: 'action', mode: 'verifyEmail', oobCode, apiKey: 'key' } as const;
  return { page: { ...page, look: { name: 'demo' } }, lang: 'de' };
}

function textOf({ body }: Answer): string {
  return body?.kind === 'whole' ? String(body.bytes) : '';
}

test('[I173] the page is sent with headers that allow only its own files and prevent caching, framing and indexing', () => {
  const answer = renderActionPage(BUILT, link('code'), NONCE);
  expect(answer.status).toBe(200);
  expect(answer.headers).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-bm9uY2U='; connect-src 'self'; " +
      "font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': expect.stringMatching(/^(\w[\w-]*=\(\)(, )?)+$/),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
  });
});

test('[I177] the page receives the parameters of any link unchanged, and no parameter begins a tag', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('</script><script>', '<!--<script>', '$&', "$'", '$1', '\u2028', '&lt;'),
  );
  fc.assert(
    fc.property(nasty, nasty, (oobCode, lang) => {
      const html = textOf(renderActionPage(BUILT, { ...link(oobCode), lang }, NONCE));
      const [before, json = '', after] = html.split(
        /<script type="application\/json" id="parameters">|<\/script>/,
      );
      expect([before, after]).toEqual(['<p>before</p>', '<p>after</p>']);
      expect(json).not.toMatch(/[<>&]/);
      // Text that is not well-formed cannot be encoded in UTF-8 without loss.
      expect(JSON.parse(json)).toEqual({
        page: { ...link('').page, oobCode: oobCode.toWellFormed() },
        lang: lang.toWellFormed(),
        styleNonce: NONCE,
      });
    }),
  );
});

test.each(['incomplete', 'unknownMode', 'noContinueUrl', 'wrongProject'] as const)(
  '[I169] a link that is rejected as %s is answered 400 with the page',
  (reason) => {
    const answer = renderActionPage(BUILT, { page: { kind: 'rejected', reason } }, NONCE);
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain(`"reason":"${reason}"`);
  },
);

test('[I176] if the page is not built, the response is a plain page with status 503 and the same headers', async () => {
  const pages = await readBuiltPages(new URL('nothing/action.html', import.meta.url));
  const answer = renderActionPage(pages, link('code'), NONCE);
  expect(answer.status).toBe(503);
  expect(textOf(answer)).toContain('npm start');
  expect(answer.headers).toEqual(renderActionPage(BUILT, link('code'), NONCE).headers);
});

function buildPage(html: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'action.html'), html);
  writeFileSync(join(folder, 'assets/a-12345678.js'), 'let a');
  writeFileSync(join(folder, 'assets/b-12345678.woff2'), 'font');
  return pathToFileURL(join(folder, 'action.html'));
}

test('[I175] the files of a page are read with their types, and served compressed, fonts as they are', async () => {
  const { html, assets } = await readBuiltPages(buildPage(TEMPLATE));
  expect(html).toBe(TEMPLATE);
  expect([...assets.keys()].toSorted()).toEqual(['a-12345678.js', 'b-12345678.woff2']);
  const asset = assets.get('a-12345678.js');
  expect(asset?.contentType).toBe('text/javascript; charset=utf-8');
  expect(String(gunzipSync((await asset?.zipped?.()) ?? ''))).toBe('let a');
  const font = assets.get('b-12345678.woff2');
  expect([font?.contentType, String(font?.bytes), font?.zipped]).toEqual(['font/woff2', 'font', undefined]);
  expect(ASSET_HEADERS['cache-control']).toBe('public, max-age=31536000, immutable');
});

test.each(['<p>nothing</p>', PARAMETERS_MARK + PARAMETERS_MARK])(
  '[I176] reading the built page %j fails',
  async (html) => {
    await expect(readBuiltPages(buildPage(html))).rejects.toThrow(
      'must contain "__PARAMETERS__" exactly once',
    );
  },
);
