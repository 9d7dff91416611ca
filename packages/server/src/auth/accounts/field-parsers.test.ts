import { expect, test } from 'vitest';
import { parseDisplayName, parsePhotoUrl } from './field-parsers.ts';

test('[I402] a display name has at most 256 characters', () => {
  expect(parseDisplayName('Ann')).toBe('Ann');
  expect(parseDisplayName('')).toBeNull();
  expect(parseDisplayName('x'.repeat(256))).toHaveLength(256);
  expect(() => parseDisplayName('x'.repeat(257))).toThrow('INVALID_ARGUMENT');
});

test.each([
  ['Ann\ud800', 'Ann\ufffd'],
  ['\udc00Ann', '\ufffdAnn'],
  ['Ann 👋', 'Ann 👋'],
  ['Ann\r\nBob\0\u0085', 'Ann  Bob  '],
])('[I667] the display name %j is stored as %j', (text, name) => {
  expect(parseDisplayName(text)).toBe(name);
});

test.each([
  'https://photos.example/ann.png',
  'HTTP://photos.example/ann.png',
  'photo-url',
  '/photos/ann.png',
  'ann 12:30.png',
  `https://${'x'.repeat(2_040)}`,
])('[I402] %s may be a photo URL', (text) => {
  expect(parsePhotoUrl(text)).toBe(text);
});

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'data:image/svg+xml,x',
  `https://${'x'.repeat(2_041)}`,
])('[I402] %j is rejected as a photo URL', (text) => {
  expect(() => parsePhotoUrl(text)).toThrow('INVALID_ARGUMENT');
});
