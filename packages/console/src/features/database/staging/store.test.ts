import { expect, test } from 'vitest';
import { MAX_STAGED, parseStagedList } from './store.ts';

const EDIT = { path: '/a', before: { text: '1', hash: 'h' }, text: '2', group: 1 };

test.each<readonly [string, string, readonly unknown[]]>([
  ['a valid edit', JSON.stringify([EDIT]), [EDIT]],
  ['incomplete JSON', '[', []],
  ['an object', '{}', []],
  ['invalid items', JSON.stringify([{ ...EDIT, text: '{' }, EDIT, { ...EDIT, before: null }, 5]), [EDIT]],
  ['an invalid key', JSON.stringify([{ ...EDIT, path: '/a.b' }]), []],
  [
    'edits at, above or below another',
    JSON.stringify([EDIT, EDIT, { ...EDIT, path: '/a/b' }, { ...EDIT, path: '/' }]),
    [EDIT],
  ],
  ['invalid paths', JSON.stringify(['a', '/a/', '//a', ''].map((path) => ({ ...EDIT, path }))), []],
  [
    'an invalid group and hash',
    JSON.stringify([
      { ...EDIT, group: 0.5 },
      { ...EDIT, before: { text: '1', hash: '' } },
    ]),
    [],
  ],
  ['an unknown field', JSON.stringify([{ ...EDIT, more: 1 }]), [EDIT]],
  ['deeply nested JSON', '['.repeat(100_000), []],
])('[C337][C347] only valid staged edits are restored from the storage of a tab: %s', (_name, text, list) => {
  expect(parseStagedList(text)).toEqual(list);
});

test('[C347] of too many staged edits in the storage, only the first up to the maximum are restored', () => {
  const paths = Array.from({ length: MAX_STAGED + 1 }, (_, index) => ({ ...EDIT, path: `/k${index}` }));
  expect(parseStagedList(JSON.stringify(paths))).toEqual(paths.slice(0, MAX_STAGED));
});
