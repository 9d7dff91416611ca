/// <reference types="node" />
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from './key.ts';
import { textArbitrary } from './node.arbitrary.ts';

test.each([
  ['', 0],
  ['a', 1],
  ['\u007f', 1],
  ['\u0080', 2],
  ['\u07ff', 2],
  ['\u0800', 3],
  ['\uffff', 3],
  ['\u{10000}', 4],
  ['\u{10ffff}', 4],
  ['\ud800', 3],
  ['\udc00', 3],
  ['\ud800a', 4],
  ['\ud800\ud800\udc00', 7],
  ['\udc00\ud800', 6],
])('[T1] %j has %i bytes', (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes);
});

test('[T1] utf8Length returns the length that the platform’s encoder produces', () => {
  fc.assert(
    fc.property(textArbitrary, (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});
