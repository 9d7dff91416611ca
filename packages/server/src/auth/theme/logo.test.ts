import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseLogo } from './logo.ts';
import { chunk, createPng, dataUrl } from './png.fixture.ts';

test('[I1591] a logo is stored with its pixels alone', () => {
  const more = ['tEXt', 'eXIf', 'acTL', 'iCCP'].map((type) => chunk(type, Buffer.from('<script>')));
  expect(parseLogo(dataUrl(createPng({ more })))).toBe(dataUrl(createPng()));
});

test.each([
  ['gray, 1 bit', [1, 0], 16 * 3],
  ['colors, 8 bits', [8, 2], 16 * 49],
  ['gray with transparency, 16 bits', [16, 4], 16 * 65],
  ['colors with transparency, 8 bits', [8, 6], 16 * 65],
] as const)('[I1591] a logo may be %s', (_name, kind, bytes) => {
  const url = dataUrl(createPng({ kind: [...kind, 0, 0, 0], pixels: Buffer.alloc(bytes) }));
  expect(parseLogo(url)).toBe(url);
});

const PNG = createPng();
/** An image that is 20,000 times as long as its file. */
const BOMB = chunk('IDAT', deflateSync(Buffer.alloc(20_000_000)));

test.each<readonly [string, string, RegExp]>([
  ['the address of another host', 'https://example.com/logo.png', /data: URL/],
  ['an SVG image', `data:image/svg+xml;base64,${PNG.toString('base64')}`, /data: URL/],
  ['text after the image', `${dataUrl(PNG)}" onerror="alert(1)`, /data: URL/],
  ['another file', dataUrl(Buffer.from('<svg onload=alert(1)>')), /must be a PNG image/],
  ['a large file', dataUrl(createPng({ more: [chunk('tEXt', randomBytes(24_576))] })), /24576 bytes/],
  ['a small image', dataUrl(createPng({ width: 15 })), /16 to 512 pixels/],
  ['a wide image', dataUrl(createPng({ width: 513 })), /16 to 512 pixels/],
  ['a huge image', dataUrl(createPng({ width: 0xffffffff, pixels: Buffer.alloc(1) })), /16 to 512 pixels/],
  ['interlacing', dataUrl(createPng({ kind: [8, 0, 0, 0, 1] })), /interlacing/],
  ['an unknown color type', dataUrl(createPng({ kind: [8, 1, 0, 0, 0] })), /unknown kind/],
  ['an impossible depth', dataUrl(createPng({ kind: [1, 2, 0, 0, 0] })), /unknown kind/],
  ['an unknown chunk', dataUrl(createPng({ more: [chunk('ABCD', Buffer.alloc(1))] })), /unknown kind/],
  ['no palette', dataUrl(createPng({ kind: [8, 3, 0, 0, 0] })), /damaged/],
  ['missing pixels', dataUrl(createPng({ pixels: Buffer.alloc(16) })), /damaged/],
  ['too many pixels', dataUrl(createPng({ pixels: Buffer.alloc(16 * 17 + 1) })), /damaged/],
  ['pixels without an end', dataUrl(createPng({ more: [BOMB] })), /damaged/],
  ['two headers', dataUrl(createPng({ more: [PNG.subarray(8, 33)] })), /damaged/],
  [
    'a wrong checksum',
    dataUrl(Buffer.from(PNG.toString('hex').replace(/49454e44\w+$/, '49454e4400000000'), 'hex')),
    /damaged/,
  ],
  ['a file that is cut', dataUrl(PNG.subarray(0, -5)), /damaged/],
  ['bytes after the end', dataUrl(Buffer.concat([PNG, Buffer.from('PK')])), /damaged/],
])('[I1591] %s is rejected as a logo', (_name, url, problem) => {
  expect(() => parseLogo(url)).toThrow(problem);
});
