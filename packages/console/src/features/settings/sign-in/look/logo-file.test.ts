import { MAX_LOGO_BYTES } from '@hearth/core/api/page-theme.ts';
import { expect, test } from 'vitest';
import { readLogo } from './logo-file.ts';

/** Returns the header of a PNG image, followed by zeros up to `length` bytes. */
function png(width: number, height: number, length = 64): Blob {
  const bytes = new Uint8Array(length);
  bytes.set([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return new Blob([bytes]);
}

test.each([
  ['of the smallest size', png(16, 16)],
  ['of the largest size', png(512, 512, MAX_LOGO_BYTES)],
])('[C553] a PNG image %s is a logo with all its bytes', async (_size, file) => {
  const read = await readLogo(file);
  if (read.kind !== 'logo') throw new Error(read.problem);
  const stored = await (await fetch(read.url)).blob();
  expect(stored.type).toBe('image/png');
  expect(await stored.arrayBuffer()).toEqual(await file.arrayBuffer());
});

test.each([
  ['a file with one byte too many', png(48, 24, MAX_LOGO_BYTES + 1), 'tooLarge'],
  ['an image that is too narrow', png(15, 24), 'pixels'],
  ['an image that is too high', png(48, 513), 'pixels'],
  ['an image of another kind', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>']), 'notPng'],
  ['an image without its size', png(48, 24).slice(0, 20), 'notPng'],
  ['an empty file', new Blob([]), 'notPng'],
])('[C553] %s is rejected as a logo', async (_what, file, problem) => {
  expect(await readLogo(file)).toEqual({ kind: 'problem', problem });
});
