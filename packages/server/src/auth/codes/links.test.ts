import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuthApiError } from '../errors.ts';
import { findAuthorizedUrl, parseContinueUrl } from './links.ts';

/** Returns whether a project with these domains may send users to the URL. */
function isAllowed(url: string, authorizedDomains: readonly string[], areDomainsExact = false): boolean {
  return findAuthorizedUrl(url, { authorizedDomains, areDomainsExact }) !== undefined;
}

test.each([
  'https://app.example',
  'https://app.example/',
  'https://APP.example:8443/path?query#fragment',
  'https://a.b.app.example/',
  'https://app.example/a b',
])('[I363] app.example allows %s', (url) => {
  expect(isAllowed(url, ['app.example'])).toBe(true);
});

test.each([
  'https://evil.example/',
  'https://notapp.example/',
  'https://app.example.evil.example/',
  'https://app.example./',
  'https://example/',
  'http://app.example/',
  'chrome-extension://app.example/',
])('[I363] app.example does not allow %s', (url) => {
  expect(isAllowed(url, ['app.example'])).toBe(false);
});

test.each([
  ['https://app.example/', true],
  ['https://a.app.example/', false],
])('[I364] if domains must match exactly, app.example allows %s: %s', (url, expected) => {
  expect(isAllowed(url, ['app.example'], true)).toBe(expected);
});

test.each([
  ['https://app.example/', false],
  ['https://a.app.example/', true],
  ['https://a.b.app.example/', true],
  ['https://xapp.example/', false],
])('[I364] *.app.example allows %s, whether or not domains must match exactly: %s', (url, expected) => {
  expect(isAllowed(url, ['*.app.example'])).toBe(expected);
  expect(isAllowed(url, ['*.app.example'], true)).toBe(expected);
});

test.each([
  ['192.0.2.1', 'https://192.0.2.1/', true],
  ['192.0.2.1', 'https://3221225985/', true],
  ['192.0.2.1', 'https://5.192.0.2.1.evil.example/', false],
  ['0.2.1', 'https://192.0.2.1/', false],
  ['2001:db8::1', 'https://[2001:DB8:0::1]/', true],
  ['[2001:db8::1]', 'https://[2001:db8::1]/', true],
  ['2001:db8::1', 'https://[2001:db8::2]/', false],
  ['*.192.0.2.1', 'https://192.0.2.1/', false],
  ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ['xn--bcher-kva.example', 'https://www.bücher.example/', true],
  ['App.Example:443', 'https://app.example:8443/', true],
  ['chrome-extension://abcdef', 'chrome-extension://abcdef/page.html', true],
  ['chrome-extension://abcdef', 'chrome-extension://x.abcdef/', false],
  ['chrome-extension://abcdef', 'https://abcdef/', false],
])('[I365] the entry %s allows %s: %s', (entry, url, expected) => {
  expect(isAllowed(url, [entry])).toBe(expected);
});

test.each([
  ['localhost', 'http://localhost:5173/', true],
  ['localhost', 'http://app.localhost/', true],
  ['127.0.0.1', 'http://127.0.0.1/', true],
  ['::1', 'http://[::1]:3000/', true],
  ['192.0.2.1', 'http://192.0.2.1/', false],
  ['app.example', 'http://localhost/', false],
])('[I366] the entry %s allows the URL %s, which has no TLS: %s', (entry, url, expected) => {
  expect(isAllowed(url, [entry])).toBe(expected);
});

test.each([
  '',
  'app.example',
  '/path',
  '//app.example',
  'https:app.example',
  'https:/app.example',
  'https:///app.example',
  'https://',
  'https://user@app.example',
  'https://evil.example:pw@app.example',
  'https://@app.example',
  'https://app.example\\@evil.example',
  'https://app.example/\\evil',
  'https://app.exa\nmple',
  'https://app.example/\u0000',
  ' https://app.example',
  'javascript:alert(1)//https://app.example',
  'data:text/html,x',
  'ftp://app.example/',
  'app://app.example/',
  'https://.app.example/',
  'https://a..app.example/',
  `https://app.example/${'a'.repeat(2_029)}`,
])('[I367] the continue URL %j is rejected', (url) => {
  expect(() => parseContinueUrl(url)).toThrow(AuthApiError);
  expect(isAllowed(url, ['app.example', 'evil.example'])).toBe(false);
});

test('[I367] a URL of 2,048 characters is accepted', () => {
  expect(isAllowed(`https://app.example/${'a'.repeat(2_028)}`, ['app.example'])).toBe(true);
});

test('[I363][I367] every allowed URL leads to the domain or a subdomain, however it is parsed', () => {
  const part = fc.constantFrom(
    'https://',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '#',
    '?',
    '.',
    'app.example',
    'evil',
    '\t',
    '%2f',
    ' ',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      (text) => {
        const url = findAuthorizedUrl(text, { authorizedDomains: ['app.example'], areDomainsExact: false });
        if (url === undefined) return;
        expect(url.protocol).toBe('https:');
        expect(url.hostname).toMatch(/^(.+\.)?app\.example$/);
        expect(/^https:\/\/([^/?#]*)/i.exec(text)?.[1]?.split(':')[0]?.toLowerCase()).toBe(url.hostname);
      },
    ),
  );
});
