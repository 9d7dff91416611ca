import { expect, test } from 'vitest';
import { crossOriginMessage, crossOriginOf, isLocalHost, unknownHostMessage } from './guards.ts';

test.each([
  ['localhost'],
  ['LOCALHOST:9000'],
  ['localhost.'],
  ['127.0.0.1:1'],
  ['[::1]'],
  ['[::1]:9000'],
  ['10.0.2.2:9000'],
  ['a.b.localhost:9000'],
  ['mine.example'],
])('[H41] the host %s is accepted', (host) => expect(isLocalHost(host, ['mine.example'])).toBe(true));

test.each([
  [undefined],
  [''],
  ['evil.example'],
  ['localhost.evil.example'],
  ['notlocalhost'],
  ['sub.mine.example'],
  ['127.0.0.1.evil.example'],
  ['127.0.0.2'],
  ['[::2]'],
  ['localhost:90:00'],
  ['localhost@evil.example'],
  ['evil.example/.localhost'],
  ['evil.example .localhost'],
])('[H41] the host %s is rejected', (host) => {
  expect(isLocalHost(host, ['mine.example'])).toBe(false);
  expect(unknownHostMessage(host)).toMatch(/^This server/);
});

const ALLOWED = ['app.test'];
const SCRIPT = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } as const;

test.each([
  [{}],
  [{ origin: 'http://localhost:5173' }],
  [{ origin: 'http://127.0.0.1:9000' }],
  [{ origin: 'http://[::1]:3000' }],
  [{ origin: 'https://shop.localhost' }],
  [{ origin: 'http://app.test:8080' }],
  [{ ...SCRIPT, referer: 'http://localhost:5173/page' }],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
])('[H522] a request with the headers %j is not from a page of another origin', (headers) => {
  expect(crossOriginOf(headers, ALLOWED)).toBeUndefined();
});

test.each([
  [{ origin: 'https://evil.example' }, 'https://evil.example'],
  [{ origin: 'http://localhost.evil.example' }, 'http://localhost.evil.example'],
  [{ origin: 'null' }, 'null'],
  [{ origin: '' }, ''],
  [{ ...SCRIPT, referer: 'https://evil.example/a' }, 'https://evil.example/a'],
  [SCRIPT, 'another site'],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 'another site'],
])('[H522] a request with the headers %j is from the page %s', (headers, page) => {
  expect(crossOriginOf(headers, ALLOWED)).toBe(page);
});

test('[H522] the error message for a page of another origin says what to do', () => {
  expect(crossOriginMessage('https://shop.example:8443')).toMatch(/start with --allow-host shop\.example\.$/);
  for (const page of ['null', '', 'another site', 'file:///tmp/a.html'])
    expect(crossOriginMessage(page)).toMatch(/Serve it from localhost\.$/);
});
