import { expect, test } from 'vitest';
import { findStale } from '../scripts/install.mjs';

const LOCKED = {
  '': { version: '1.0.0' },
  'packages/p': { version: '1.0.0' },
  'node_modules/p': { link: true },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/other-platform': { version: '1.0.0', optional: true },
};

test.each([
  ['nothing installed', {}, 'node_modules/p'],
  ['a package is missing', { 'node_modules/p': { link: true } }, 'node_modules/a'],
  [
    'another version',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } },
    'node_modules/a',
  ],
  [
    'another content',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
    'node_modules/a',
  ],
  [
    'all but an optional package',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } },
    undefined,
  ],
  [
    'another version of an optional package',
    { ...LOCKED, 'node_modules/other-platform': { version: '0.9.0' } },
    'node_modules/other-platform',
  ],
  ['more than is locked', { ...LOCKED, 'node_modules/more': { version: '1.0.0' } }, undefined],
])('[P21] %s', (_case, installed, stale) => {
  expect(findStale(LOCKED, installed)).toBe(stale);
});
